// Misconception: the lock guards the fields: what was read under it can be told when it is free again.
// Caught by: TestJoinsWhileTheSourceWrites
// Message: handlers join while the source writes

//go:build wrong

package late

import (
	"maps"
	"runtime"
)

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	h.joined[r] = true
	store, synced := maps.Clone(h.store), h.synced
	h.mu.Unlock()

	runtime.Gosched() // wrong: news go ahead of the initial list
	for _, obj := range store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
}
