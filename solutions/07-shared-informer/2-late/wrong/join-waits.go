// Misconception: a handler has joined when it was told of the store.
// Caught by: TestNobodyWaitsForAHandler
// Message: Join had not returned

//go:build wrong

package late

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	told := make(chan bool)
	r.inbox.put(func() { close(told) })
	h.mu.Unlock()
	<-told
	return r
}
