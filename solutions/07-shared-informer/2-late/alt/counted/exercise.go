// Package late is the heart of a shared informer: a store that one source keeps, and handlers that are told what
// happens to it, also those that come late.
package late

import "sync"

// Object is one state of what has its Key.
type Object struct {
	Key string // any text, also ""
	// Version tells two states apart, and not which of them is newer. It is any number, also 0.
	Version int
}

// Handler is told of changes: cache.ResourceEventHandler, for an Object.
type Handler interface {
	OnAdd(obj Object, isInInitialList bool)
	OnUpdate(oldObj, newObj Object)
	OnDelete(obj Object)
}

// Hub has a lock for the store alone, so that who reads waits for no handler that joins, and one for the order of what
// happens. As upstream's informer, it counts the adds of the initial list that a handler has still to see.
type Hub struct {
	order    sync.Mutex // held over a change and over a Join
	synced   bool
	handlers map[*Registration]struct{}

	mu    sync.RWMutex // guards the store; the source reads it without, since nobody else writes
	store map[string]Object
}

// New makes a Hub without objects.
func New() *Hub {
	return &Hub{handlers: make(map[*Registration]struct{}), store: make(map[string]Object)}
}

// Set puts an object into the store.
func (h *Hub) Set(obj Object) {
	h.order.Lock()
	defer h.order.Unlock()
	before, known := h.store[obj.Key]
	h.mu.Lock()
	h.store[obj.Key] = obj
	h.mu.Unlock()
	e := event{added: !known, initial: !known && !h.synced, updated: known, old: before, obj: obj}
	for r := range h.handlers {
		r.put(e)
	}
}

// Remove takes what is under a key out of the store.
func (h *Hub) Remove(key string) {
	h.order.Lock()
	defer h.order.Unlock()
	gone, known := h.store[key]
	if !known {
		return
	}
	h.mu.Lock()
	delete(h.store, key)
	h.mu.Unlock()
	for r := range h.handlers {
		r.put(event{obj: gone})
	}
}

// Synced says that the source's first list is in the store.
func (h *Hub) Synced() {
	h.order.Lock()
	defer h.order.Unlock()
	h.synced = true
	for r := range h.handlers {
		r.mu.Lock()
		r.hubSynced = true
		r.mu.Unlock()
	}
}

// Resync has every object in the store looked at again.
func (h *Hub) Resync() {
	h.order.Lock()
	defer h.order.Unlock()
	for _, obj := range h.store {
		for r := range h.handlers {
			if r.wantsResync {
				r.put(event{updated: true, old: obj, obj: obj})
			}
		}
	}
}

// Get returns what the store has under a key, and whether there is anything.
func (h *Hub) Get(key string) (Object, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	obj, known := h.store[key]
	return obj, known
}

type event struct {
	added, initial, updated bool // none of them is a deletion
	old, obj                Object
}

// Registration is one Handler that has joined a Hub. Its goroutine is there only while something waits.
type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool

	mu        sync.Mutex
	waiting   []event
	running   bool
	left      bool
	initial   int // adds of the initial list that the handler has not returned from
	hubSynced bool
}

// Join has a Handler told from now on.
func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync}
	h.order.Lock()
	defer h.order.Unlock()
	h.handlers[r] = struct{}{}
	for _, obj := range h.store {
		r.put(event{added: true, initial: true, obj: obj})
	}
	r.mu.Lock()
	r.hubSynced = h.synced
	r.mu.Unlock()
	return r
}

func (r *Registration) put(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, e)
	if e.initial {
		r.initial++
	}
	if !r.running {
		r.running = true
		go r.run()
	}
}

func (r *Registration) run() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.left && len(r.waiting) > 0 {
		e := r.waiting[0]
		r.waiting = r.waiting[1:]
		r.mu.Unlock()
		switch {
		case e.added:
			r.handler.OnAdd(e.obj, e.initial)
		case e.updated:
			r.handler.OnUpdate(e.old, e.obj)
		default:
			r.handler.OnDelete(e.obj)
		}
		r.mu.Lock()
		if e.initial {
			r.initial--
		}
	}
	r.running = false
}

// HasSynced says whether the Handler has seen the first list.
func (r *Registration) HasSynced() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hubSynced && r.initial == 0
}

// Leave has the Handler told no more.
func (r *Registration) Leave() {
	r.hub.order.Lock()
	delete(r.hub.handlers, r)
	r.hub.order.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	r.waiting = nil
}
