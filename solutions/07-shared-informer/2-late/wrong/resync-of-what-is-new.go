// Breaks: it is an OnUpdate from the object to the same object, for each one, in any order.
// Caught by: TestResync
// Message: it was told

//go:build wrong

package late

func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for r := range h.joined {
		for _, obj := range h.store {
			if r.wantsResync {
				r.inbox.put(func() { r.handler.OnAdd(obj, true) })
			}
		}
	}
}
