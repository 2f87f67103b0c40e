// Breaks: Any other error of ReadEvent ends the watch, and errors.Is finds it in Err.
// Stage: 2

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"errors"
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
			var status *StatusError
			if errors.As(err, &status) {
				continue
			}
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
