// Breaks: "Serve may be called for many clients at once."
// Caught by: TestManyClients
// Message: the test ends within

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
	"sync"
)

var serving sync.Mutex

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	serving.Lock() // wrong: a watch lasts for hours
	defer serving.Unlock()
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
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
