// Misconception: Events are sent when there are enough of them for a packet.
// Caught by: TestEventAlone
// Message: an event can wait for company

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
	batch := ""
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			batch += event + "\n"
			if len(batch) < 1400 {
				continue
			}
			if _, err := io.WriteString(w, batch); err != nil {
				return err
			}
			batch = ""
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
