// Breaks: "When Serve has returned, nobody uses it, and no goroutine that Serve started is left."
// Caught by: TestClientGoes
// Message: still there

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
	queue := make(chan string, 1000)
	go func() {
		defer close(queue)
		for event := range events { // wrong: who ends this?
			queue <- event
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-queue:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if len(queue) == 0 {
				flusher.Flush()
			}
		}
	}
}
