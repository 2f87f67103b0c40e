// Breaks: "An event does not wait for the next one: when no other is waiting, the client has it at once."
// Caught by: TestBurstOfAnySize
// Message: 64 events were waiting together, and no other comes

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// maxBatch is how many events are written at once.
const maxBatch = 64

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
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
			batch := []string{event}
			for len(batch) < maxBatch && len(events) > 0 {
				batch = append(batch, <-events)
			}
			if _, err := io.WriteString(w, strings.Join(batch, "\n")+"\n"); err != nil {
				return err
			}
			if len(batch) < maxBatch { // wrong: a full batch may be the last one
				flusher.Flush()
			}
		}
	}
}
