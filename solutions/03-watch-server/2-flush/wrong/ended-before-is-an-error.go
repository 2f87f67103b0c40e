// Breaks: "It may have ended before the call."
// Caught by: TestClientHasGoneBeforeTheCall
// Message: it returned context canceled

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
)

// Serve answers a watch.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	if err := ctx.Err(); err != nil {
		return err // wrong: the client has gone, which is no error
	}
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
