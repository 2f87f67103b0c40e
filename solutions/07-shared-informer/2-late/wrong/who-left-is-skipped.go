// Misconception: who left need only be skipped.
// Caught by: TestNothingIsKeptOfWhoLeft
// Message: something of the Hub still leads to it

//go:build wrong

package late

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if r.hub.joined[r] {
		r.hub.joined[r] = false // left
		r.inbox.empty()
		r.inbox.close()
	}
}

func (h *Hub) Set(obj Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	initial := !h.synced
	for r, here := range h.joined {
		if !here {
			continue
		}
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
}

func (h *Hub) Remove(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	obj, known := h.store[key]
	if !known {
		return
	}
	delete(h.store, key)
	for r, here := range h.joined {
		if !here {
			continue
		}
		r.inbox.put(func() { r.handler.OnDelete(obj) })
	}
}

func (h *Hub) Synced() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = true
	for r, here := range h.joined {
		if !here {
			continue
		}
		r.inbox.put(func() { r.synced.Store(true) })
	}
}

func (h *Hub) Resync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for r, here := range h.joined {
		if !here {
			continue
		}
		for _, obj := range h.store {
			if r.wantsResync {
				r.inbox.put(func() { r.handler.OnUpdate(obj, obj) })
			}
		}
	}
}
