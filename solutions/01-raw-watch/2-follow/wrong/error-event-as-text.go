// Breaks: When the stream broke, or held an ERROR event or something that is no event, errors.Is and errors.As find
// in Err what ReadEvent returned.
// Caught by: TestSaysWhyTheWatchEnded
// Message: Err returned "too old resource version"

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
				w.err = errors.New(status.Message)
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
