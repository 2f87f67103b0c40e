// Breaks: "When a write fails, Serve returns its error and writes no more."
// Caught by: TestAnyErrorOfAWrite
// Message: a write fails with "context canceled", while ctx goes on

//go:build wrong

package flush

import (
	"context"
	"errors"
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
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if _, err := io.WriteString(w, event+"\n"); err != nil {
				if errors.Is(err, context.Canceled) {
					return nil // wrong: it is not ctx that was canceled
				}
				return err
			}
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
