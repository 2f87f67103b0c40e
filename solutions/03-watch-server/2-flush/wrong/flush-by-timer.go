// Misconception: A few milliseconds are a fair price for fewer packets.
// Caught by: TestEventAlone
// Message: a delay is a fair price for fewer packets

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	flusher := w.(http.Flusher)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			flusher.Flush()
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				return err
			}
		}
	}
}
