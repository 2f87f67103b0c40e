// Misconception: The body of a stream that has failed is closed already.
// Stage: 2

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
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err == io.EOF {
			body.Close()
			return
		}
		if err != nil {
			if ctx.Err() != nil {
				body.Close()
			}
			w.err = orEnded(ctx, err)
			return
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			body.Close()
			w.err = ctx.Err()
			return
		}
	}
}
