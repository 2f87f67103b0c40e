// Package late is the heart of a shared informer: a store that one source keeps, and handlers that are told what
// happens to it, also those that come late.
package late

import (
	"sync"
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

// inbox is given, to be used or not: it takes calls, and makes them one after the other, on a goroutine of its own.
type inbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	calls   []func()
	closed  bool
}

// newInbox makes an inbox and starts its goroutine, which ends when the inbox is closed and the last call has returned.
func newInbox() *inbox {
	b := &inbox{}
	b.changed = sync.NewCond(&b.mu)
	go b.run()
	return b
}

// put has a call made when those before it have returned. It waits for none of them, and there is room for any number.
// After close it panics.
func (b *inbox) put(call func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		panic("put after close")
	}
	b.calls = append(b.calls, call)
	b.changed.Signal()
}

// empty drops the calls that wait. One that runs goes on.
func (b *inbox) empty() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = nil
}

// close says that no more calls are put. Those that wait are still made. A second close panics.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		panic("closed twice")
	}
	b.closed = true
	b.changed.Signal()
}

func (b *inbox) run() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		for len(b.calls) == 0 {
			if b.closed {
				return
			}
			b.changed.Wait()
		}
		call := b.calls[0]
		b.calls = b.calls[1:]
		b.mu.Unlock()
		call()
		b.mu.Lock()
	}
}

// Hub keeps the objects of a source and tells handlers what happens to them.
//
//   - Set, Remove, Synced and Resync are the source's: it makes one call after the other, and no Handler's method makes
//     any. Join, Get, HasSynced and Leave are for any goroutine at any time, also for the methods of any Handler.
//   - None of these calls waits until a Handler's method returns, and no Registration waits for another one. However
//     many calls wait for a Handler, none is left out, as long as it has not left.
//   - A Registration's Handler is told of one thing after the other, in the order of the source's calls.
//   - The store changes before anybody is told: while a Handler is told of a change, Get finds that or what came later.
//   - Hubs share nothing, and no goroutine is left when every Registration has left.
//
// The fields may be changed, here and below: who uses the package sees what is exported.
type Hub struct {
	mu    sync.Mutex
	store map[string]Object // guarded by mu

	//solution:begin
	//todo: add the fields you need
	// What follows is guarded by mu as well, which is held from the change of the store until everybody is told: so
	// nobody joins in between.
	synced bool
	joined map[*Registration]bool
	//solution:end
}

// New makes a Hub without objects.
func New() *Hub {
	//solution:begin
	//todo: make what your fields need
	//stub: return &Hub{store: map[string]Object{}}
	return &Hub{store: map[string]Object{}, joined: map[*Registration]bool{}}
	//solution:end
}

// Set puts an object into the store, which is not what the store has under its Key already. It is an OnAdd if the store
// had nothing there, and else an OnUpdate from the object that it had.
//
//   - The OnAdd is in the initial list if Synced was not called yet, and else it is not.
func (h *Hub) Set(obj Object) {
	//solution:begin
	//todo: change the store, and tell everybody
	h.mu.Lock()
	defer h.mu.Unlock()
	old, known := h.store[obj.Key]
	h.store[obj.Key] = obj
	initial := !h.synced
	for r := range h.joined {
		if known {
			r.inbox.put(func() { r.handler.OnUpdate(old, obj) })
		} else {
			r.inbox.put(func() { r.handler.OnAdd(obj, initial) })
		}
	}
	//solution:end
}

// Remove takes what is under a key out of the store. It is an OnDelete of that; if nothing is there, nobody is told.
func (h *Hub) Remove(key string) {
	//solution:begin
	//todo: change the store, and tell everybody
	h.mu.Lock()
	defer h.mu.Unlock()
	obj, known := h.store[key]
	if !known {
		return
	}
	delete(h.store, key)
	for r := range h.joined {
		r.inbox.put(func() { r.handler.OnDelete(obj) })
	}
	//solution:end
}

// Synced says that the source's first list is in the store. It is called once, or never; there may be any calls
// before it.
func (h *Hub) Synced() {
	//solution:begin
	//todo: what is different from now on?
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = true
	for r := range h.joined {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	//solution:end
}

// Resync has every object in the store looked at again: it is an OnUpdate from the object to the same object, for each
// one, in any order.
//
//   - Only a Registration that wantsResync is told.
func (h *Hub) Resync() {
	//solution:begin
	//todo: tell those who want it
	h.mu.Lock()
	defer h.mu.Unlock()
	for r := range h.joined {
		for _, obj := range h.store {
			if r.wantsResync {
				r.inbox.put(func() { r.handler.OnUpdate(obj, obj) })
			}
		}
	}
	//solution:end
}

// Get is given: it returns what the store has under a key, and whether there is anything.
func (h *Hub) Get(key string) (Object, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	obj, known := h.store[key]
	return obj, known
}

// Registration is one Handler that has joined a Hub.
type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       *inbox

	//solution:begin
	//todo: add the fields you need
	synced atomic.Bool
	//solution:end
}

// Join has a Handler told from now on. First it is told of each object in the store, by an OnAdd in the initial list,
// in any order, and then of what the source does.
//
//   - That OnAdd is in the initial list also if Synced was called already.
//   - What the source does while Join runs is in the store that the Handler is told of, or comes after it: nothing is
//     missed, and nothing is told twice.
//   - A Handler may join again, also while it is told: each Registration is one of its own, and leaves alone.
//   - A Handler may be of a type that can't be compared. Its methods don't panic.
func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	//solution:begin
	//todo: what is in the store, and then what happens to it
	//stub: return &Registration{hub: h, handler: handler, wantsResync: wantsResync}
	r := &Registration{hub: h, handler: handler, wantsResync: wantsResync, inbox: newInbox()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[r] = true
	for _, obj := range h.store {
		r.inbox.put(func() { handler.OnAdd(obj, true) })
	}
	if h.synced {
		r.inbox.put(func() { r.synced.Store(true) })
	}
	return r
	//solution:end
}

// HasSynced says whether the Handler has seen the first list.
//
//   - It is false until Synced was called, and until the Handler has returned from every OnAdd in the initial list.
//   - It becomes true when the Handler has returned from all that it had to be told when Synced was called or, if it
//     joined after that, when Join returned. Other goroutines may have to run for that, but it takes no other call and
//     no time: when every goroutine waits, it is true. What comes later does not count.
//   - It may be either in between, and when the Registration has left. Until then it stays true.
func (r *Registration) HasSynced() bool {
	//solution:begin
	//todo: what has the Handler seen?
	//stub: return false
	return r.synced.Load()
	//solution:end
}

// Leave has the Handler told no more.
//
//   - A call of the Handler that runs goes on, and is the last one. If none runs, one that is about to begin may be
//     the last one. What waits besides is dropped.
//   - When the last call has returned, the Hub keeps nothing of the Handler.
//   - To leave again does nothing.
func (r *Registration) Leave() {
	//solution:begin
	//todo: what is to be ended?
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if r.hub.joined[r] {
		delete(r.hub.joined, r)
		r.inbox.empty()
		r.inbox.close()
	}
	//solution:end
}
