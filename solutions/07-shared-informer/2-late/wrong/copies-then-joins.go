// Misconception: a lock around each step is enough: the store is copied, and then the handler joins.
// Caught by: TestJoinsWhileTheSourceWrites
// Message: handlers join while the source writes

//go:build wrong

package late

import "runtime"

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	h.mu.Unlock()

	runtime.Gosched() // wrong: what is written now is missed

	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
