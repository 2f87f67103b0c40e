// Breaks: Version tells two states apart, and not which of them is newer.
// Caught by: TestTellsWhatHappens
// Message: it was told

//go:build wrong

package late

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	if known && obj.Version < old.Version {
		return
	}
	h.store[obj.Key] = obj
	initial := !h.synced
	for r := range h.joined {
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
}
