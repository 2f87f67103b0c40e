// Breaks: Hubs share nothing, and no goroutine is left when every Registration has left.
// Caught by: TestHubsShareNothing
// Message: race

//go:build wrong

package late

// changed is the last change, so that nothing has to be allocated for it.
var changed struct{ old, obj Object }

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	changed.old, changed.obj = old, obj
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
