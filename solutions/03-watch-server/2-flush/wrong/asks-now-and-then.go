// Breaks: "An event does not wait for the next one: when no other is waiting, the client has it at once."
// Caught by: TestEventAlone
// Message: it went out

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
	for ctx.Err() == nil {
		select {
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
		default:
			time.Sleep(10 * time.Millisecond) // wrong: an event waits that long
		}
	}
	return nil
}
