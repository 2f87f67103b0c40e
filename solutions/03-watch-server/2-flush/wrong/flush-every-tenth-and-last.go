// Breaks: "Events that are waiting together go out together, with one flush, or a few for a hundred, and not one
// for each."
// Caught by: TestBurst
// Message: flushes for 101 events

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
	n := 0
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if n++; n%10 == 0 || len(events) == 0 { // wrong: others are waiting
				flusher.Flush()
			}
		}
	}
}
