// Breaks: Each event comes out of Events as ReadEvent returned it, in order, as soon as it is there.
// Stage: 1

//go:build wrong

package follow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
)

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.ReadCloser) {
	defer close(w.events)
	defer body.Close()
	lines := bufio.NewScanner(body)
	for {
		lines.Scan()
		event, err := ReadEvent(json.NewDecoder(bytes.NewReader(lines.Bytes())))
		if lines.Err() != nil {
			err = lines.Err()
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
