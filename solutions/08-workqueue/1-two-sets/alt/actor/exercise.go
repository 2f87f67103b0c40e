// Package twosets is a queue of keys.
package twosets

// Queue is one goroutine that has the state. A call is a message to it, and over is closed when it has ended: when the
// queue was shut down, and nothing is left.
type Queue[T comparable] struct {
	added, done, first chan T
	none               chan struct{} // somebody takes from it who is to hear that nothing comes any more
	close              chan (chan<- struct{})
	lengths            chan int
	closing            chan bool
	over               chan struct{}
}

// New returns a queue without items.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{
		added: make(chan T), done: make(chan T), first: make(chan T), none: make(chan struct{}),
		close: make(chan (chan<- struct{})), lengths: make(chan int), closing: make(chan bool),
		over: make(chan struct{}),
	}
	go q.run()
	return q
}

// run is the goroutine. Of an item that a worker has, has[item] says whether it was added again.
func (q *Queue[T]) run() {
	defer close(q.over)
	var line []T
	waits, has := map[T]bool{}, map[T]bool{}
	var drained chan<- struct{}
	closed := false
	for !closed || len(line)+len(has) > 0 {
		var next T
		var first chan<- T
		var none chan<- struct{}
		if len(line) > 0 {
			next, first = line[0], q.first
		} else if closed {
			none = q.none
		}
		select {
		case item := <-q.added:
			if _, at := has[item]; closed || waits[item] {
				continue
			} else if at {
				has[item] = true
				continue
			}
			waits[item] = true
			line = append(line, item)
		case first <- next:
			line = line[1:]
			delete(waits, next)
			has[next] = false
		case item := <-q.done:
			if has[item] {
				waits[item] = true
				line = append(line, item)
			}
			delete(has, item)
		case waiting := <-q.close:
			if closed = true; drained != nil {
				close(drained)
			}
			drained = waiting
		case none <- struct{}{}:
		case q.lengths <- len(line):
		case q.closing <- closed:
		}
	}
	if drained != nil {
		close(drained)
	}
}

// Add says that an item has to be processed.
func (q *Queue[T]) Add(item T) {
	select {
	case q.added <- item:
	case <-q.over:
	}
}

// Get takes the first item.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	select {
	case item = <-q.first:
		return item, false
	case <-q.none:
	case <-q.over:
	}
	return item, true
}

// Done says that an item was processed.
func (q *Queue[T]) Done(item T) { q.done <- item }

// ShutDown lets nobody wait.
func (q *Queue[T]) ShutDown() { q.end(nil) }

// ShutDownWithDrain waits until the state says that nothing is left.
func (q *Queue[T]) ShutDownWithDrain() {
	drained := make(chan struct{})
	q.end(drained)
	select {
	case <-drained:
	case <-q.over:
	}
}

func (q *Queue[T]) end(drained chan<- struct{}) {
	select {
	case q.close <- drained:
	case <-q.over:
	}
}

// Len counts.
func (q *Queue[T]) Len() int {
	select {
	case n := <-q.lengths:
		return n
	case <-q.over:
		return 0
	}
}

// ShuttingDown says whether the end has begun.
func (q *Queue[T]) ShuttingDown() bool {
	select {
	case closed := <-q.closing:
		return closed
	case <-q.over:
		return true
	}
}
