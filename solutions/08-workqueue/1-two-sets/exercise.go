// Package twosets is exercise 08.1: the queue between those who notice changes and those who work.
//
// A handler adds a key whenever something has happened to its object. Every worker runs this loop:
//
//	for {
//		key, shutdown := q.Get()
//		if shutdown {
//			return
//		}
//		... // look at the object, and do what is to be done
//		q.Done(key)
//	}
//
// So somebody looks after the last change, and never two at once. Write Queue, stage by stage, from the standard
// library. docs/exercises.md says what holds for every exercise.
package twosets

import "sync"

// Queue is a line of items, and knows which of them workers have.
type Queue[T comparable] struct {
	mu     sync.Mutex
	line   []T
	closed bool
	//solution:begin
	//todo: what else a queue has to know
	changed    *sync.Cond // tells those who wait
	dirty      map[T]bool // somebody has to process these: they are in the line, or wait for their Done
	processing map[T]bool // workers have these
	forced     bool       // no drain waits any more
	//solution:end
}

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	//solution:begin
	//stub: return &Queue[T]{}
	q := &Queue[T]{dirty: map[T]bool{}, processing: map[T]bool{}}
	q.changed = sync.NewCond(&q.mu)
	return q
	//solution:end
}

// Add says that an item has to be processed.
//
// Stage 1: each item once, in line
//
//   - It comes to the end of the line, which has room for any number.
//   - An item that stands in the line keeps its place there, and does not come a second time.
//
// Stage 2: added while a worker has it
//
//   - From Get to Done a worker has the item, and nobody else gets it.
//   - Added meanwhile, it comes into the line with its Done: once, and at the end.
func (q *Queue[T]) Add(item T) {
	//solution:begin
	//todo: put it into the line
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	//solution:end
}

// Get takes the first item out of the line, and returns it with false. Before stage 3 the line is not empty then.
//
// Stage 3: waiting, and the end
//
//   - While the line is empty Get waits, without looking again and again, and goes on when an item comes.
//   - From now on many goroutines call all the methods at once.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	//solution:begin
	//todo: take out the first
	//stub: return item, true
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed {
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
	//solution:end
}

// Done says that a worker no longer has the item. It is called once for each Get.
func (q *Queue[T]) Done(item T) {
	//solution:begin
	//todo: the worker no longer has it
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
	//solution:end
}

// ShutDown ends the adding, and waits for nobody.
//
// Stage 3: waiting, and the end
//
//   - From then on Add does nothing. What was added before is handed out all the same, also if it comes with its Done.
//   - A Get that finds the line empty returns true instead of waiting. So do those that wait already.
func (q *Queue[T]) ShutDown() {
	//solution:begin
	//todo: nothing is added any more, and nobody waits
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.forced = true, true
	q.changed.Broadcast()
	//solution:end
}

// ShutDownWithDrain ends the adding, too. It is called once, and not after ShutDown.
//
// Stage 4 (hard): the end of all work
//
//   - It returns as soon as the line is empty and no worker has an item.
//   - A ShutDown meanwhile ends its waiting.
func (q *Queue[T]) ShutDownWithDrain() {
	//solution:begin
	//todo: nothing is added any more, and all that is there is to be processed
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
	for !q.idle() && !q.forced {
		q.changed.Wait()
	}
	//solution:end
}

// Len returns how many items are in the line.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.line)
}

// ShuttingDown says whether the queue was shut down.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

//solution:begin

// idle says that there is nothing left to do. Its caller has the lock.
func (q *Queue[T]) idle() bool { return len(q.line) == 0 && len(q.processing) == 0 }

//solution:end
