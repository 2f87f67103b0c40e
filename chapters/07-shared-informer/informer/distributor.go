package informer

import (
	"slices"
	"sync"

	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// distributor knows the handlers. Its lock is held while a change goes to the store and then to all of them, and while
// one joins or leaves: so a handler that joins late finds a change in the store, or is told of it, and never both.
//
// Nobody waits for a handler here: each has a buffer.
//
// Upstream: sharedProcessor, and sharedIndexInformer.blockDeltas, in tools/cache/shared_informer.go.
type distributor struct {
	mutations cache.MutationDetector
	clock     clock.Clock

	lock     sync.Mutex // guards what is below, and order: the store's changes and the notifications of them
	handlers []*Registration
	started  bool
	synced   bool           // the informer has
	running  sync.WaitGroup // goroutines of handlers
}

// notify tells every handler; of a resync, those that want one. The caller holds the lock.
//
// Upstream: OnAdd, OnUpdate and OnDelete of sharedIndexInformer, and distribute.
func (d *distributor) notify(n Notification) {
	if n.kind != deleted {
		d.mutations.AddObject(n.new)
	}
	isResync := n.isResync()
	for _, h := range d.handlers {
		if !isResync || h.resync.now {
			h.add(n)
		}
	}
}

// join makes a handler one of those that are told. The caller holds the lock.
func (d *distributor) join(h *Registration) {
	d.handlers = append(d.handlers, h)
	if d.started {
		h.start(&d.running)
	}
}

// leave is the opposite, if the handler has joined. The caller holds the lock.
func (d *distributor) leave(h *Registration) {
	i := slices.Index(d.handlers, h)
	if i < 0 {
		return
	}
	d.handlers = slices.Delete(d.handlers, i, i+1)
	h.end(d.started)
}

// start starts the handlers that have joined.
func (d *distributor) start() {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.started = true
	for _, h := range d.handlers {
		h.start(&d.running)
	}
}

// informerSynced tells the handlers that no more initial adds come.
func (d *distributor) informerSynced() {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.synced = true
	for _, h := range d.handlers {
		h.initial.last()
	}
}

// stop ends the handlers. It does not wait for the calls that are under way.
func (d *distributor) stop() {
	d.lock.Lock()
	defer d.lock.Unlock()
	for _, h := range d.handlers {
		h.end(d.started)
	}
	d.handlers, d.started = nil, false
}
