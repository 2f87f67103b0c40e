// Breaks: Each event comes out of Events as ReadEvent returned it, in order, as soon as it is there.
// Stage: 1

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
