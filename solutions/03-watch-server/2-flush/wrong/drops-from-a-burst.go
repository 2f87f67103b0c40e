// Breaks: "The lines are the events in their order: each of them once, and nothing else."
// Caught by: TestBurst
// Message: it got

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
	queue := make(chan string, 10)
	defer close(queue)
	written := make(chan error, 1)
	go func() {
		for event := range queue {
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				written <- err
				return
			}
			if len(queue) == 0 {
				flusher.Flush()
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-written:
			return err
		case event, ok := <-events:
			if !ok {
				return nil
			}
			select {
			case queue <- event:
			default: // wrong: there is no room, and it is lost
			}
		}
	}
}
