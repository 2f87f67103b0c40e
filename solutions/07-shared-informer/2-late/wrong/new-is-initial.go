// Misconception: every object that is new is in the initial list.
// Caught by: TestTellsWhatHappens
// Message: the belief that every object that is new is in the initial list.

//go:build wrong

package late

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	for r := range h.joined {
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, true) })
		}
	}
}
