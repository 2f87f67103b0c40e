// Breaks: Each event comes out of Events as ReadEvent returned it, in order, as soon as it is there.
// Stage: 1
// Base: alt/two-goroutines

//go:build wrong

package follow

import (
	"context"
	"io"
)

func (w *Watch) pass(ctx context.Context, read <-chan result) error {
	var queue []Event
	for {
		var out chan<- Event // nil, and so never ready, while there is nothing to send
		var first Event
		if len(queue) > 0 {
			out, first = w.events, queue[0]
		}
		select {
		case r, ok := <-read:
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case !ok || r.err == io.EOF:
				return nil
			case r.err != nil:
				return r.err
			}
			queue = append(queue, r.event)
		case out <- first:
			queue = queue[1:]
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
