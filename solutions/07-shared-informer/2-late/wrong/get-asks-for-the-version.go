// Breaks: it returns what the store has under a key, and whether there is anything.
// Caught by: TestRandomScripts
// Message: 0, false, and should return

//go:build wrong

package late

func (h *Hub) Get(key string) (Object, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	obj := h.store[key]
	return obj, obj.Version != 0
}
