// Breaks: "Each event is a line: the text as it is given, and a newline."
// Caught by: TestEventsAsGiven
// Message: it has "ends with a carriage return"

//go:build wrong

package flush

import (
	"context"
	"io"
	"net/http"
	"strings"
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
			line := strings.TrimRight(event, "\r\n") + "\n" // wrong: \r is text
			if _, err := io.WriteString(w, line); err != nil {
				return err
			}
			if len(events) == 0 {
				flusher.Flush()
			}
		}
	}
}
