// Breaks: "When events is closed (the server ends the watch), Serve writes what is still in it and returns nil."
// Caught by: TestServerEndsTheWatch
// Message: written:

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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan string, 1000)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case event, ok := <-events:
				if !ok {
					cancel() // wrong: the queue is not empty yet
					return
				}
				queue <- event
			}
		}
	}()
	for {
		if ctx.Err() != nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case event := <-queue:
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if len(queue) == 0 {
				flusher.Flush()
			}
		}
	}
}
