// Breaks: "The lines are the events in their order: each of them once, and nothing else."
// Caught by: TestEventsWaitForTheCall
// Message: it has 0 lines

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
	for len(events) > 0 {
		<-events // wrong: they are from before the call, and the client waits for them
	}
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
}
