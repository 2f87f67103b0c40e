// Misconception: To put an error into a sentence keeps the error.
// Caught by: TestSaysWhyTheWatchEnded
// Message: Err returned "watch: unexpected EOF" Points to: the belief that an error is a text.

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"fmt"
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
			w.err = fmt.Errorf("watch: %v", err)
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
