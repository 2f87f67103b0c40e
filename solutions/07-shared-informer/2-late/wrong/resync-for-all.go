// Misconception: a resync is for everybody.
// Caught by: TestResync
// Message: the belief that a resync is for everybody.

//go:build wrong

package late

func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for r := range h.joined {
		for _, obj := range h.store {
			r.inbox.put(func() { r.handler.OnUpdate(obj, obj) })
		}
	}
}
