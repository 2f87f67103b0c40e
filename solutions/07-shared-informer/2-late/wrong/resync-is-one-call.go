// Misconception: a resync is one thing that a handler is told.
// Caught by: TestLeavesInTheMiddle
// Message: the belief that calls of the Handler which are put or taken together are one.

//go:build wrong

package late

import (
	"maps"
	"slices"
)

func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Collect(maps.Values(h.store))
	for r := range h.joined {
		if !r.wantsResync {
			continue
		}
		r.inbox.put(func() {
			for _, obj := range all {
				r.handler.OnUpdate(obj, obj)
			}
		})
	}
}
