// Breaks: "One goroutine at a time uses w."
// Caught by: TestOneGoroutineUsesTheConnection
// Message: began before a

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
	written := make(chan bool, 1)
	defer close(written)
	go func() {
		for range written {
			flusher.Flush() // wrong: the next write may be going on
		}
	}()
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
				select {
				case written <- true:
				default:
				}
			}
		}
	}
}
