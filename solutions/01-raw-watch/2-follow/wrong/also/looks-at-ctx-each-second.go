// Breaks: When ctx ends while an event waits to be taken from Events, the watch is over at once, too.
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
		for sent := false; !sent; {
			select {
			case w.events <- event:
				sent = true
			case <-time.After(time.Second):
				if ctx.Err() != nil {
					w.err = ctx.Err()
					return
				}
			}
		}
	}
}
