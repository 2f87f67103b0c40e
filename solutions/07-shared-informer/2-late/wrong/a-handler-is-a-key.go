// Misconception: a handler joins once, and is known by itself.
// Caught by: TestTheSameHandlerAgain
// Message: unhashable

//go:build wrong

package late

import "sync"

type Hub struct {
	mu     sync.Mutex
	store  map[string]Object
	synced bool
	joined map[Handler]*Registration
}

func New() *Hub { return &Hub{store: map[string]Object{}, joined: map[Handler]*Registration{}} }

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	initial := !h.synced
	for _, r := range h.joined {
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
}

func (h *Hub) Remove(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	obj, known := h.store[key]
	if !known {
		return
	}
	delete(h.store, key)
	for _, r := range h.joined {
		r.inbox.put(func() { r.handler.OnDelete(obj) })
	}
}

func (h *Hub) Synced() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = true
	for _, r := range h.joined {
		r.inbox.put(func() { r.synced.Store(true) })
	}
}

func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.joined {
		for _, obj := range h.store {
			if r.wantsResync {
				r.inbox.put(func() { r.handler.OnUpdate(obj, obj) })
			}
		}
	}
}

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync}
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := h.joined[handler]; ok {
		return r
	}
	r.inbox = newInbox()
	h.joined[handler] = r
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
	if r.hub.joined[r.handler] == r {
		delete(r.hub.joined, r.handler)
		r.inbox.empty()
		r.inbox.close()
	}
}
