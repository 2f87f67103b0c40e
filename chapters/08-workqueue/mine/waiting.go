package main

import (
	"sync"

	upstream "k8s.io/client-go/util/workqueue"

	twosets "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
)

// waiting makes a Queue of the reader's first two stages one for workers. Which item is next is up to that Queue: what
// stages 3 and 4 add stands here, around it.
type waiting struct {
	lock   sync.Mutex // guards what follows
	came   *sync.Cond
	yours  *twosets.Queue[key]
	closed bool
}

var _ upstream.TypedInterface[key] = (*waiting)(nil)

func newWaiting(yours *twosets.Queue[key]) *waiting {
	w := &waiting{yours: yours}
	w.came = sync.NewCond(&w.lock)
	return w
}

// Add implements TypedInterface.
func (w *waiting) Add(item key) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if !w.closed {
		w.yours.Add(item)
		w.came.Broadcast()
	}
}

// Get implements TypedInterface.
func (w *waiting) Get() (item key, shutdown bool) {
	w.lock.Lock()
	defer w.lock.Unlock()
	for w.yours.Len() == 0 {
		if w.closed {
			return item, true
		}
		w.came.Wait()
	}
	return w.yours.Get()
}

// Done implements TypedInterface.
func (w *waiting) Done(item key) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.yours.Done(item)
	w.came.Broadcast()
}

// Len implements TypedInterface.
func (w *waiting) Len() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.yours.Len()
}

// ShutDown implements TypedInterface.
func (w *waiting) ShutDown() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.closed = true
	w.came.Broadcast()
}

// ShutDownWithDrain implements TypedInterface, and does not drain: the last step waits for the workers.
func (w *waiting) ShutDownWithDrain() { w.ShutDown() }

// ShuttingDown implements TypedInterface.
func (w *waiting) ShuttingDown() bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.closed
}
