package informer

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

var _ cache.ResourceEventHandlerRegistration = (*Registration)(nil)

// Registration is one handler of one informer. Two goroutines work for it: one runs the buffer, and one calls the
// handler.
//
// Upstream: processorListener, in tools/cache/shared_informer.go, which has a third one, to wait for the informer's
// sync.
type Registration struct {
	handler cache.ResourceEventHandler
	buffer  Buffer
	logger  klog.Logger
	clock   clock.Clock
	name    string

	in      chan Notification // to the buffer; closed when the handler has been removed
	removed atomic.Bool       // what waits is dropped
	ended   chan struct{}     // closed when the handler has returned from its last call
	waiting atomic.Int64

	initial initialAdds
	resync  resync // guarded by the distributor's lock
}

// room is for how many notifications nobody has to be woken. The buffer is bounded by memory; this is so that a burst
// of changes costs each handler one switch of goroutines, and not one for each change.
const room = 64

func newRegistration(handler cache.ResourceEventHandler, buffer Buffer, logger klog.Logger,
	clock clock.Clock) *Registration {
	return &Registration{handler: handler, buffer: buffer, logger: logger, clock: clock,
		name:    fmt.Sprintf("event handler %T", handler),
		in:      make(chan Notification, room),
		ended:   make(chan struct{}),
		initial: initialAdds{done: make(chan struct{})},
	}
}

// HasSynced says whether the informer has synced and the handler has returned from each add of the initial list. It
// stays false if the handler panicked in one, or was removed before.
func (r *Registration) HasSynced() bool { return cache.IsDone(r.HasSyncedChecker()) }

// HasSyncedChecker is done when HasSynced is true.
func (r *Registration) HasSyncedChecker() cache.DoneChecker { return done{r.name, r.initial.done} }

// ShutdownChan is closed when the handler has been removed, or its informer stopped, and it has returned from its last
// call. cache.ShutDownEventHandler waits for it.
//
// Upstream: the method of the same name, which is in no interface.
func (r *Registration) ShutdownChan() <-chan struct{} { return r.ended }

// Waiting is the number of notifications that the handler has not been given yet, 0 once ShutdownChan is closed.
// Upstream's does not tell.
func (r *Registration) Waiting() int { return int(r.waiting.Load()) }

// start starts the two goroutines.
func (r *Registration) start(running *sync.WaitGroup) {
	out := make(chan []Notification)
	running.Go(func() { r.buffer(r.in, out) })
	running.Go(func() { r.run(out) })
}

// end has the goroutines end, if they were started, as soon as the handler returns. It is called once.
func (r *Registration) end(started bool) {
	r.removed.Store(true)
	close(r.in)
	if !started {
		close(r.ended)
	}
}

// add puts a notification into the buffer, which takes it at once. It is not called after end.
func (r *Registration) add(n Notification) {
	if n.initial() {
		r.initial.add()
	}
	r.waiting.Add(1)
	r.in <- n
}

// run calls the handler.
func (r *Registration) run(out <-chan []Notification) {
	defer close(r.ended)
	defer r.waiting.Store(0)
	panicked := false
	for batch := range out {
		for i := range batch {
			if panicked {
				r.clock.Sleep(time.Second) // this one may panic, too
			}
			if r.removed.Load() {
				break
			}
			r.waiting.Add(-1)
			panicked = r.call(&batch[i])
			batch[i] = Notification{} // a long batch does not keep what is done with
		}
	}
}

// call makes one call. A panic is logged and ends the program, unless that was turned off (utilruntime.ReallyCrash):
// then the notification is skipped.
func (r *Registration) call(n *Notification) (panicked bool) {
	defer utilruntime.HandleCrashWithLogger(r.logger)
	panicked = true
	n.tell(r.handler)
	if n.initial() {
		r.initial.finish()
	}
	return false
}
