// Breaks: "The lines are the events in their order: each of them once, and nothing else."
// Caught by: TestBurst
// Message: it is

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
			batch := event + "\n"
			for range len(events) {
				batch = <-events + "\n" + batch // wrong: the oldest comes first
			}
			if _, err := io.WriteString(w, batch); err != nil {
				return err
			}
			flusher.Flush()
		}
	}
}
