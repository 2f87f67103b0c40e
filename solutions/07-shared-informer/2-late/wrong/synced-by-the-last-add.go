// Misconception: a handler has seen the first list when it returns from the last add of it.
// Caught by: TestHasSynced
// Message: the belief that a handler without objects to see has nothing to say.

//go:build wrong

package late

import "sync/atomic"

type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       *inbox

	unseen atomic.Int64 // adds of the initial list
	synced atomic.Bool
}

// add tells of an object in the initial list.
func (r *Registration) add(obj Object) {
	r.unseen.Add(1)
	r.inbox.put(func() {
		r.handler.OnAdd(obj, true)
		r.hub.mu.Lock()
		defer r.hub.mu.Unlock()
		if r.unseen.Add(-1) == 0 && r.hub.synced {
			r.synced.Store(true)
		}
	})
}

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	for r := range h.joined {
		switch {
		case known:
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		case !h.synced:
			r.add(obj)
		default:
			r.inbox.put(func() { r.handler.OnAdd(obj, false) })
		}
	}
}

func (h *Hub) Synced() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = true
}

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.add(obj)
	}
	return r
}
