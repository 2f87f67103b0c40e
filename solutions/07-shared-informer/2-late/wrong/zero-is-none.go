// Breaks: It is any number, also 0.
// Caught by: TestTellsWhatHappens
// Message: it was told

//go:build wrong

package late

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.store[obj.Key]
	h.store[obj.Key] = obj
	initial := !h.synced
	for r := range h.joined {
		if old.Version != 0 {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
}
