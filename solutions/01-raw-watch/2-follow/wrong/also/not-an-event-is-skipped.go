// Breaks: Any other error of ReadEvent ends the watch, and errors.Is finds it in Err.
// Stage: 2

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
	"strings"
)

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.ReadCloser) {
	defer close(w.events)
	defer body.Close()
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err != nil && strings.Contains(err.Error(), "is no watch event") {
			continue
		}
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
			w.err = ctx.Err()
			return
		}
	}
}
