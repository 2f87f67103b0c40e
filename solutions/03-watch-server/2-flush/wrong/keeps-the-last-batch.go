// Breaks: "When events is closed (the server ends the watch), Serve writes what is still in it and returns nil."
// Caught by: TestServerEndsTheWatch
// Message: written: ""

//go:build wrong

package flush

import (
	"bufio"
	"context"
	"net/http"
)

// Serve collects in a buffer of its own, and hands it over when nothing more is waiting.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	buffer := bufio.NewWriterSize(w, 32<<10)
	w.(http.Flusher).Flush()
	for {
		var event string
		var ok bool
		select {
		case <-ctx.Done():
			return nil
		case event, ok = <-events:
		default:
			if err := buffer.Flush(); err != nil {
				return err
			}
			w.(http.Flusher).Flush()
			select {
			case <-ctx.Done():
				return nil
			case event, ok = <-events:
			}
		}
		if !ok {
			return nil // wrong: net/http does not know of this buffer
		}
		buffer.WriteString(event)
		if err := buffer.WriteByte('\n'); err != nil {
			return err
		}
	}
}
