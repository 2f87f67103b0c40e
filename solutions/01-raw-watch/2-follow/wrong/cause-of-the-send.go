// Breaks: When ctx has ended, before the server's answer or during the watch, errors.Is finds ctx.Err() in what
// Follow or Err returns, also when ctx has a cause of its own.
// Caught by: TestContextEndsWithACause
// Message: Err returned "the user has closed the window"

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
		if err == io.EOF {
			return
		}
		if err != nil {
			w.err = orEnded(ctx, err)
			return
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			w.err = context.Cause(ctx)
			return
		}
	}
}
