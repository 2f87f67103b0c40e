// Package flush writes the events of a watch to a client.
package flush

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// Serve waits for one event, takes those that came with it, and flushes once.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	control := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	if err := control.Flush(); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			if err := writeBatch(w, event, events); err != nil {
				return err
			}
			if err := control.Flush(); err != nil {
				return err
			}
		}
	}
}

// writeBatch writes an event, and those that are waiting behind it now. Whoever comes later is for the next batch, so
// that a stream without a pause has an end here.
func writeBatch(w io.Writer, event string, events <-chan string) error {
	for waiting := len(events); ; waiting-- {
		if _, err := fmt.Fprintln(w, event); err != nil || waiting == 0 {
			return err
		}
		event = <-events
	}
}
