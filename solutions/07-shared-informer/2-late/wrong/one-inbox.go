// Misconception: a Hub has one queue, whose goroutine calls one handler after the other.
// Caught by: TestNobodyWaitsForAHandler
// Message: the belief that one queue is enough for all handlers.

//go:build wrong

package late

import (
	"sync"
	"sync/atomic"
)

type Hub struct {
	mu     sync.Mutex
	store  map[string]Object
	synced bool
	joined map[*Registration]bool
	shared *inbox // there while somebody has joined
}

type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       queue

	synced atomic.Bool
}

// queue is what the Registration has of the shared inbox.
type queue struct {
	shared *inbox
	left   *atomic.Bool
}

func (q queue) put(call func()) {
	q.shared.put(func() {
		if !q.left.Load() {
			call()
		}
	})
}

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.joined) == 0 {
		h.shared = newInbox()
	}
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync}
	r.inbox = queue{h.shared, new(atomic.Bool)}
	h.joined[r] = true
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if r.hub.joined[r] {
		delete(r.hub.joined, r)
		r.inbox.left.Store(true)
		if len(r.hub.joined) == 0 {
			r.hub.shared.close()
		}
	}
}
