// Misconception: to wait for a sync is to look from time to time, as cache.WaitForCacheSync does.
// Caught by: TestHasSynced
// Message: it said

//go:build wrong

package late

import (
	"sync/atomic"
	"time"
)

type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       *inbox

	synced atomic.Bool
	left   chan bool
}

func (h *Hub) Synced() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = true
}

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox(), left: make(chan bool)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	go r.look()
	return r
}

func (r *Registration) look() {
	for {
		select {
		case <-r.left:
			return
		case <-time.After(100 * time.Millisecond):
		}
		r.hub.mu.Lock()
		synced := r.hub.synced
		if r.hub.joined[r] && synced {
			r.inbox.put(func() { r.synced.Store(true) })
		}
		r.hub.mu.Unlock()
		if synced {
			return
		}
	}
}

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if r.hub.joined[r] {
		delete(r.hub.joined, r)
		r.inbox.empty()
		r.inbox.close()
		close(r.left)
	}
}
