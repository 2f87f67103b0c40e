// Misconception: nothing is missed by who joins before it is told of the store.
// Caught by: TestJoinsWhileTheSourceWrites
// Message: handlers join while the source writes

//go:build wrong

package late

import "runtime"

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	h.joined[r] = true
	h.mu.Unlock()

	runtime.Gosched() // wrong: what is written now is told, and is in the store as well

	h.mu.Lock()
	defer h.mu.Unlock()
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
