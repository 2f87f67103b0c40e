// Breaks: "When ctx ends (the client has gone), Serve returns nil, whatever it ended for, and also while events
// keep coming."
// Caught by: TestClientGoesWhileEventsCome
// Message: for a client that had gone

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
	for {
		var event string
		var ok bool
		select {
		case event, ok = <-events: // wrong: while there is one, nobody looks at ctx
		default:
			select {
			case <-ctx.Done():
				return nil
			case event, ok = <-events:
			}
		}
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
