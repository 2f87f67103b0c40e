// Breaks: "Serve may be called for many clients at once."
// Caught by: TestManyClients
// Message: it has

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
)

var buffer string

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
			buffer += event + "\n" // wrong: whose?
			if len(events) > 0 {
				continue
			}
			line := buffer
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
			buffer = ""
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
