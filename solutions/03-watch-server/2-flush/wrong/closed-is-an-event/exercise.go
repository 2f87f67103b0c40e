// Misconception: A watch is ended by the client alone.
// Caught by: TestServerEndsTheWatch
// Message: only a client ends a watch

package flush

import (
	"context"
	"io"
	"net/http"
)

// Serve answers a watch. It sends the header, so that the client knows that it is connected, and
// then each of the events on a line of its own.
//
// What is written to w stays in a buffer of 4 KB until w is flushed (w implements http.Flusher). A
// flush costs a system call and a packet. So: an event must not wait for the next one, and events
// that are waiting together go out together.
//
// Serve returns nil when events is closed (the server ends the watch) and when ctx ends (the client
// has gone), and the error of a write that fails.
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
				events = nil // nothing more will come
				continue
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
