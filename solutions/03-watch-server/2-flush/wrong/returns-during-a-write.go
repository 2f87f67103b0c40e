// Breaks: "When Serve has returned, nobody uses it, and no goroutine that Serve started is left."
// Caught by: TestClientGoesDuringAWrite
// Message: it returned while another goroutine was in a Write

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
	done := make(chan error, 1)
	go func() {
		done <- func() error {
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
					if len(events) == 0 {
						flusher.Flush()
					}
				}
			}
		}()
	}()
	select {
	case <-ctx.Done():
		return nil // wrong: the other goroutine may be writing
	case err := <-done:
		return err
	}
}
