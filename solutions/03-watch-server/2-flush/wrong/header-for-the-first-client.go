// Breaks: "Serve may be called for many clients at once."
// Caught by: TestManyClients
// Message: each has its header before the first event

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// header is sent before the events.
var header sync.Once

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	flusher := w.(http.Flusher)
	header.Do(func() { // wrong: each client has a header
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		flusher.Flush()
	})
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
