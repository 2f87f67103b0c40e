// Misconception: When the goroutine that reads a body ends, or its context does, the body is closed.
// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
// Message: was never closed Points to: the belief that something else comes and closes a body

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
)

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.Reader) {
	defer close(w.events)
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err == io.EOF {
			return
		}
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
