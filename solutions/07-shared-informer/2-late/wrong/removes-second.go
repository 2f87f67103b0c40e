// Breaks: The store changes before anybody is told: while a Handler is told of a change, Get finds that or what came
// later.
// Caught by: TestTheStoreChangesFirst
// Message: in OnDelete of a

//go:build wrong

package late

import "runtime"

func (h *Hub) Remove(key string) {
	h.mu.Lock()
	obj, known := h.store[key]
	if !known {
		h.mu.Unlock()
		return
	}
	for r := range h.joined {
		r.inbox.put(func() { r.handler.OnDelete(obj) })
	}
	h.mu.Unlock()

	runtime.Gosched() // wrong: the handlers look now

	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.store, key)
}
