// Package flush writes the events of a watch to a client.
package flush

import (
	"bufio"
	"context"
	"net/http"
)

// Serve collects in a buffer of its own, and hands it over when nothing more is waiting.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	flusher, _ := w.(http.Flusher)
	buffer := bufio.NewWriterSize(w, 32<<10)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	done := ctx.Done()
	for {
		if len(events) == 0 && buffer.Buffered() > 0 {
			if err := buffer.Flush(); err != nil {
				return err
			}
			flusher.Flush()
		}
		select {
		case <-done:
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			buffer.WriteString(event)
			if err := buffer.WriteByte('\n'); err != nil {
				return err
			}
		}
	}
}
