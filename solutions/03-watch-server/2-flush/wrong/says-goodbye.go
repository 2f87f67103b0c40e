// Breaks: "The lines are the events in their order: each of them once, and nothing else."
// Caught by: TestClientGoes
// Message: was written then

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
			_, _ = io.WriteString(w, "{\"type\":\"ERROR\"}\n") // wrong: this is no event of the watch
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
