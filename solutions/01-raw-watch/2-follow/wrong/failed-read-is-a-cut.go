// Breaks: When the stream broke, or held an ERROR event or something that is no event, errors.Is and errors.As find
// in Err what ReadEvent returned.
// Caught by: TestReadErrorIsTold
// Message: Err returned "unexpected EOF"

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"errors"
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
		if err == io.EOF {
			return
		}
		if err != nil {
			w.err = orEnded(ctx, err)
			var status *StatusError
			var syntax *json.SyntaxError
			if ctx.Err() == nil && !errors.As(err, &status) && !errors.As(err, &syntax) &&
				!strings.Contains(err.Error(), "no watch event") {
				w.err = io.ErrUnexpectedEOF
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
