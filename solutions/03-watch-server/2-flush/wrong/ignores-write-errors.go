// Misconception: A write to a network works.
// Caught by: TestWriteFails
// Message: a write to a network works: the events that follow are taken from the queue and lost

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
)

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	flusher := w.(http.Flusher)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			_, _ = io.WriteString(w, event+"\n")
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
