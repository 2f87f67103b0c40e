// Misconception: it does not matter whether the store or the handler comes first.
// Caught by: TestTheStoreChangesFirst
// Message: the belief that it does not matter whether the store or the handler comes first.

//go:build wrong

package late

import "runtime"

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	old, known := h.store[obj.Key]
	initial := !h.synced
	for r := range h.joined {
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
	h.mu.Unlock()

	runtime.Gosched() // wrong: the handlers look now

	h.mu.Lock()
	defer h.mu.Unlock()
	h.store[obj.Key] = obj
}
