// Breaks: "When a write fails, Serve returns its error and writes no more. So it does when events is closed."
// Caught by: TestLastWriteFails
// Message: events is closed with events in it, and write 2 fails

//go:build wrong

package flush

import (
	"bufio"
	"context"
	"net/http"
)

// Serve collects in a buffer of its own, and hands it over when nothing more is waiting.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	flusher := w.(http.Flusher)
	buffer := bufio.NewWriterSize(w, 32<<10)
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	for {
		var event string
		var ok bool
		select {
		case event, ok = <-events:
		default:
			if buffer.Buffered() > 0 {
				if err := buffer.Flush(); err != nil {
					return err
				}
				flusher.Flush()
			}
			select {
			case <-ctx.Done():
				return nil
			case event, ok = <-events:
			}
		}
		if !ok || ctx.Err() != nil {
			_ = buffer.Flush() // wrong: what is left is a write too
			return nil
		}
		if _, err := buffer.WriteString(event + "\n"); err != nil {
			return err
		}
	}
}
