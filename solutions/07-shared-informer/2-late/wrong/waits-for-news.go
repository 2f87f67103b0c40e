// Breaks: What comes later does not count.
// Caught by: TestHasSynced
// Message: it said yes no

//go:build wrong

package late

import "sync"

func (r *Registration) HasSynced() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.inbox.mu.Lock()
	defer r.inbox.mu.Unlock()
	return r.hub.synced && len(r.inbox.calls) == 0 && !r.inbox.calling
}

type inbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	calls   []func()
	closed  bool
	calling bool
}

func (b *inbox) run() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		for len(b.calls) == 0 {
			if b.closed {
				return
			}
			b.changed.Wait()
		}
		call := b.calls[0]
		b.calls = b.calls[1:]
		b.calling = true
		b.mu.Unlock()
		call()
		b.mu.Lock()
		b.calling = false
	}
}
