// Breaks: Each event comes out of Events as ReadEvent returned it, in order, as soon as it is there.
// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
// Message: it came 100ms after it was there

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
	"time"
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
		select { // perhaps another one comes
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			w.err = ctx.Err()
			return
		}
	}
}
