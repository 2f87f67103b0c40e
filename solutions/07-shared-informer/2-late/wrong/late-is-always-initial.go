// Misconception: for a handler that comes late, every add is initial.
// Caught by: TestAHandlerThatComesLate
// Message: the belief that for a handler that comes late every add is initial.

//go:build wrong

package late

import "sync/atomic"

type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       *inbox

	late   bool
	synced atomic.Bool
}

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	for r := range h.joined {
		initial := !h.synced || r.late
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
}

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.late = true
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
