// Breaks: Whichever it was, no event comes any more, Events is closed, and Err may be called from then on.
// Caught by: TestPassesEventsOnUntilTheServerEndsTheWatch
// Message: one more event came: event without a type

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
			select {
			case w.events <- Event{}: // so that the reader sees it
			case <-ctx.Done():
			}
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
