// Misconception: the initial list is one thing that a handler is told.
// Caught by: TestLeavesInTheMiddle
// Message: the belief that calls of the Handler which are put or taken together are one.

//go:build wrong

package late

import (
	"maps"
	"slices"
)

func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	list, synced := slices.Collect(maps.Values(h.store)), h.synced
	r.inbox.put(func() {
		for _, obj := range list {
			handler.OnAdd(obj, true)
		}
		if synced {
			r.synced.Store(true)
		}
	})
	return r
}
