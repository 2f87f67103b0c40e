// Breaks: A slow reader gets every event, also when the stream has ended meanwhile.
// Stage: 4

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
		select {
		case w.events <- event:
		case <-time.After(500 * time.Millisecond): // the reader is late, and a newer one comes
		case <-ctx.Done():
			w.err = ctx.Err()
			return
		}
	}
}
