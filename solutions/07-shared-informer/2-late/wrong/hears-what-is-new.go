// Misconception: who joins is told what happens from then on.
// Caught by: TestAHandlerThatComesLate
// Message: the belief that who joins is told what happens from then on.

//go:build wrong

package late

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
