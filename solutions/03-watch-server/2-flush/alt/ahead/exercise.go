// Package flush writes the events of a watch to a client.
package flush

import (
	"context"
	"net/http"
	"strings"
	"sync"
)

// backlog is what was read and not yet written.
type backlog struct {
	mu     sync.Mutex
	events []string
	ended  bool          // events is closed
	more   chan struct{} // says that there is something new
}

// Serve has a goroutine that reads ahead, so that the events of a slow client do not fill the server's queue.
func Serve(ctx context.Context, w http.ResponseWriter, events <-chan string) error {
	ctx, cancel := context.WithCancel(ctx)
	b := &backlog{more: make(chan struct{}, 1)}
	var reader sync.WaitGroup
	reader.Go(func() { b.read(ctx, events) })
	defer reader.Wait()
	defer cancel()
	w.(http.Flusher).Flush() // sends the header too, with status 200
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-b.more:
			batch, ended := b.take()
			if len(batch) > 0 {
				if _, err := w.Write([]byte(strings.Join(batch, "\n") + "\n")); err != nil {
					return err
				}
				w.(http.Flusher).Flush()
			}
			if ended {
				return nil
			}
		}
	}
}

func (b *backlog) read(ctx context.Context, events <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-events:
			b.mu.Lock()
			if ok {
				b.events = append(b.events, event)
			}
			b.ended = !ok
			b.mu.Unlock()
			select {
			case b.more <- struct{}{}:
			default: // it has been said
			}
			if !ok {
				return
			}
		}
	}
}

func (b *backlog) take() (events []string, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	events, b.events = b.events, nil
	return events, b.ended
}
