// Package flush writes the events of a watch to a client.
package flush

import (
	"context"
	"fmt"
	"net/http"
)

// Serve waits for one event, takes all that came with it, and flushes once.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	control := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	if err := control.Flush(); err != nil {
		return err
	}
	for {
		var event string
		ok := false
		select {
		case <-ctx.Done():
		case event, ok = <-events:
		}
		for more := ok; more; {
			if _, err := fmt.Fprintln(w, event); err != nil {
				return err
			}
			select {
			case event, ok = <-events:
				more = ok
			default:
				more = false
			}
		}
		if err := control.Flush(); err != nil {
			return err
		}
		if !ok {
			return nil
		}
	}
}
