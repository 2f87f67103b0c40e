// Misconception: A body has to be read to its end before it is closed.
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
	defer func() {
		io.Copy(io.Discard, body) // so that the connection can be used again
		body.Close()
	}()
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
