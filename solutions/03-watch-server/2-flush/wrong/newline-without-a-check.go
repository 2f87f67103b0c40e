// Breaks: "When a write fails, Serve returns its error and writes no more."
// Caught by: TestWriteFails
// Message: write 2 fails

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
			if _, err := io.WriteString(w, event); err != nil {
				return err
			}
			_, _ = io.WriteString(w, "\n") // wrong: this can fail too
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
