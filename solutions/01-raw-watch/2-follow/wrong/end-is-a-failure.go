// Misconception: A watch is meant to go on for ever, so that its end is a failure.
// Caught by: TestAnEndIsNoFailure
// Message: Err returned "EOF" Points to: the belief that an end is a failure.

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
		if err != nil {
			w.err = err
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
