// Breaks: It is false until Synced was called, and until the Handler has returned from every OnAdd in the initial list.
// Caught by: TestHasSynced
// Message: it said yes yes

//go:build wrong

package late

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced || len(h.store) == 0 {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
