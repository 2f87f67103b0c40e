// Misconception: the initial list is over for everybody when the source has synced.
// Caught by: TestAHandlerThatComesLate
// Message: the belief that the initial list is over for everybody when the source has synced.

//go:build wrong

package late

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	initial := !h.synced
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, initial) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
