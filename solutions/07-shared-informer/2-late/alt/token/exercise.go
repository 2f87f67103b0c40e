// Package late is the heart of a shared informer: a store that one source keeps, and handlers that are told what
// happens to it, also those that come late.
package late

import "slices"

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

// Hub hands its state from one goroutine to the next: who has it is the only one that looks at it.
type Hub struct{ state chan state }

type state struct {
	store  map[string]Object
	synced bool
	joined []*Registration
}

// New makes a Hub without objects.
func New() *Hub {
	h := &Hub{state: make(chan state, 1)}
	h.state <- state{store: make(map[string]Object)}
	return h
}

// Set puts an object into the store.
func (h *Hub) Set(obj Object) {
	s := <-h.state
	note := func(to Handler) { to.OnAdd(obj, !s.synced) }
	if old, known := s.store[obj.Key]; known {
		note = func(to Handler) { to.OnUpdate(old, obj) }
	}
	s.store[obj.Key] = obj
	s.tell(note)
	h.state <- s
}

// Remove takes what is under a key out of the store.
func (h *Hub) Remove(key string) {
	s := <-h.state
	if obj, known := s.store[key]; known {
		delete(s.store, key)
		s.tell(func(to Handler) { to.OnDelete(obj) })
	}
	h.state <- s
}

func (s state) tell(n note) {
	for _, r := range s.joined {
		r.in <- n
	}
}

// Synced says that the source's first list is in the store.
func (h *Hub) Synced() {
	s := <-h.state
	s.synced = true
	for _, r := range s.joined {
		r.in <- nil
	}
	h.state <- s
}

// Resync has every object in the store looked at again.
func (h *Hub) Resync() {
	s := <-h.state
	for _, r := range s.joined {
		for _, obj := range s.store {
			if !r.wantsResync {
				break
			}
			r.in <- func(to Handler) { to.OnUpdate(obj, obj) }
		}
	}
	h.state <- s
}

// Get returns what the store has under a key, and whether there is anything.
func (h *Hub) Get(key string) (Object, bool) {
	s := <-h.state
	defer func() { h.state <- s }()
	obj, known := s.store[key]
	return obj, known
}

// note is what a Handler is told; nil is that there was nothing more when the Hub had synced.
type note func(Handler)

// Registration is one Handler that has joined a Hub. One goroutine keeps what waits, and another one calls the Handler.
type Registration struct {
	hub         *Hub
	wantsResync bool
	in          chan note
	synced      chan struct{} // closed when it is true
}

// Join has a Handler told from now on.
func (h *Hub) Join(handler Handler, wantsResync bool) *Registration {
	r := &Registration{hub: h, wantsResync: wantsResync, in: make(chan note), synced: make(chan struct{})}
	next := make(chan note)
	go r.keep(next)
	go r.call(handler, next)

	s := <-h.state
	for _, obj := range s.store {
		r.in <- func(to Handler) { to.OnAdd(obj, true) }
	}
	if s.synced {
		r.in <- nil
	}
	s.joined = append(s.joined, r)
	h.state <- s
	return r
}

// keep hands on what comes in. It takes whatever comes at once, and drops what waits when no more comes.
func (r *Registration) keep(next chan<- note) {
	defer close(next)
	var waiting []note
	for {
		var out chan<- note
		var first note
		if len(waiting) > 0 {
			out, first = next, waiting[0]
		}
		select {
		case n, ok := <-r.in:
			if !ok {
				return
			}
			waiting = append(waiting, n)
		case out <- first:
			waiting = waiting[1:]
		}
	}
}

func (r *Registration) call(handler Handler, next <-chan note) {
	for n := range next {
		if n == nil {
			close(r.synced)
		} else {
			n(handler)
		}
	}
}

// HasSynced says whether the Handler has seen the first list.
func (r *Registration) HasSynced() bool {
	select {
	case <-r.synced:
		return true
	default:
		return false
	}
}

// Leave has the Handler told no more.
func (r *Registration) Leave() {
	s := <-r.hub.state
	if i := slices.Index(s.joined, r); i >= 0 {
		s.joined = slices.Concat(s.joined[:i], s.joined[i+1:])
		close(r.in)
	}
	r.hub.state <- s
}
