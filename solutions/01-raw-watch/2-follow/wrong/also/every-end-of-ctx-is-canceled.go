// Breaks: When ctx ends later, the watch is over at once, whether events come or not, and errors.Is finds ctx.Err()
// in Err.
// Stage: 3

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
			w.err = context.Canceled
			return
		}
	}
}

func orEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	return err
}
