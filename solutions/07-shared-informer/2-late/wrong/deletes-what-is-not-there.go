// Breaks: if nothing is there, nobody is told.
// Caught by: TestTellsWhatHappens
// Message: it was told -0

//go:build wrong

package late

func (h *Hub) Remove(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	obj := h.store[key]
	delete(h.store, key)
	for r := range h.joined {
		r.inbox.put(func() { r.handler.OnDelete(obj) })
	}
}
