// Package late is the heart of a shared informer: a store that one source keeps, and handlers that are told what
// happens to it, also those that come late.
package late

import (
	"maps"
	"sync/atomic"
)

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

// Hub has no lock and no list of handlers. There is one log of what happened, and a moment of the Hub is what was in
// the store then with the place in the log behind it. Who joins takes a moment, and reads on from there.
type Hub struct{ now atomic.Pointer[moment] }

// moment is never changed: the source makes another one.
type moment struct {
	store  map[string]Object
	synced bool
	next   *entry // what happens next
}

// entry is a place in the log. It can be read when written is closed.
type entry struct {
	written chan struct{}
	tell    func(*Registration)
	next    *entry
}

func newEntry() *entry { return &entry{written: make(chan struct{})} }

// New makes a Hub without objects.
func New() *Hub {
	h := &Hub{}
	h.now.Store(&moment{next: newEntry()})
	return h
}

// happens is called by the source only. The moment comes before the entry is written.
func (h *Hub) happens(store map[string]Object, synced bool, tell func(*Registration)) {
	e := h.now.Load().next
	e.tell, e.next = tell, newEntry()
	h.now.Store(&moment{store: store, synced: synced, next: e.next})
	close(e.written)
}

// Set puts an object into the store.
func (h *Hub) Set(obj Object) {
	now := h.now.Load()
	old, known := now.store[obj.Key]
	store := maps.Clone(now.store)
	if store == nil {
		store = map[string]Object{}
	}
	store[obj.Key] = obj
	h.happens(store, now.synced, func(r *Registration) {
		if known {
			r.handler.OnUpdate(old, obj)
		} else {
			r.handler.OnAdd(obj, !now.synced)
		}
	})
}

// Remove takes what is under a key out of the store.
func (h *Hub) Remove(key string) {
	now := h.now.Load()
	obj, known := now.store[key]
	if !known {
		return
	}
	store := maps.Clone(now.store)
	delete(store, key)
	h.happens(store, now.synced, func(r *Registration) { r.handler.OnDelete(obj) })
}

// Synced says that the source's first list is in the store.
func (h *Hub) Synced() {
	h.happens(h.now.Load().store, true, func(r *Registration) { r.synced.Store(true) })
}

// Resync has every object in the store looked at again.
func (h *Hub) Resync() {
	now := h.now.Load()
	h.happens(now.store, now.synced, func(r *Registration) {
		for _, obj := range now.store {
			if r.wantsResync && !r.left.Load() {
				r.handler.OnUpdate(obj, obj)
			}
		}
	})
}

// Get returns what the store has under a key, and whether there is anything.
func (h *Hub) Get(key string) (Object, bool) {
	obj, known := h.now.Load().store[key]
	return obj, known
}

// Registration is one Handler that has joined a Hub.
type Registration struct {
	handler     Handler
	wantsResync bool
	synced      atomic.Bool
	left        atomic.Bool
	leave       chan struct{}
}

// Join has a Handler told from now on.
func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{handler: handler, wantsResync: wantsResync, leave: make(chan struct{})}
	go r.read(h.now.Load())
	return r
}

func (r *Registration) read(from *moment) {
	for _, obj := range from.store {
		if r.left.Load() {
			return
		}
		r.handler.OnAdd(obj, true)
	}
	if from.synced {
		r.synced.Store(true)
	}
	for e := from.next; ; e = e.next {
		select {
		case <-r.leave:
		case <-e.written:
		}
		if r.left.Load() {
			return
		}
		e.tell(r)
	}
}

// HasSynced says whether the Handler has seen the first list.
func (r *Registration) HasSynced() bool { return r.synced.Load() }

// Leave has the Handler told no more.
func (r *Registration) Leave() {
	if r.left.CompareAndSwap(false, true) {
		close(r.leave)
	}
}
