// Misconception: a handler has seen what does not wait for it any more.
// Caught by: TestHasSynced
// Message: the belief that a handler has seen an object when its method is called.

//go:build wrong

package late

func (r *Registration) HasSynced() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.inbox.mu.Lock()
	defer r.inbox.mu.Unlock()
	return r.hub.synced && len(r.inbox.calls) == 0
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
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	return r
}
