// Misconception: What a goroutine writes right after it has closed a channel is there when the reader looks.
// Caught by: TestErrIsThereWhenEventsIsClosed
// Message: there was a data race between

//go:build wrong

package follow

import (
	"context"
	"encoding/json"
	"io"
)

// run reads the stream and passes its events on.
func (w *Watch) run(ctx context.Context, body io.ReadCloser) {
	err := w.pass(ctx, body)
	if err != io.EOF {
		w.err = err
	}
}

// pass sends events until something ends the watch, cleans up, and returns what it was.
func (w *Watch) pass(ctx context.Context, body io.ReadCloser) error {
	defer close(w.events)
	defer body.Close()
	decoder := json.NewDecoder(body)
	for {
		event, err := ReadEvent(decoder)
		if err != nil {
			return err
		}
		select {
		case w.events <- event:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
