// Breaks: Any other error of ReadEvent ends the watch, and errors.Is finds it in Err.
// Caught by: TestSaysWhyTheWatchEnded
// Message: Err returned nil Points to: the belief that such an end is a clean one.

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
)

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.ReadCloser) {
	defer close(w.events)
	defer body.Close()
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return
		}
		if err != nil {
			w.err = orEnded(ctx, err)
			return
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			w.err = ctx.Err()
			return
		}
	}
}
