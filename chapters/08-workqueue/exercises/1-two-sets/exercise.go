// Package twosets is the queue between those who notice changes and those who work: client-go's workqueue, without
// its metrics.
package twosets

// Queue holds items that somebody has to process. An item is a key, such as the name of an object. Handlers add it
// whenever something has happened to the object, and a worker that gets it looks at the object and does what is to be
// done. So somebody has to look after the last change, however many there were, and never two workers at once.
//
// Every worker runs this loop:
//
//	for {
//		item, shutdown := q.Get()
//		if shutdown {
//			return
//		}
//		... // process it
//		q.Done(item)
//	}
//
// And this is how items come to the workers:
//
//   - Any number of goroutines may call any of the methods at once. Items that are equal (==) are one item.
//   - Items wait in a line, each in one place. They come into the line at its end, and Get takes out the first.
//   - From the Get that returns an item to its Done, the item is being processed. Meanwhile it is not in the line, so
//     that no other worker gets it. Other items are handed out: any number may be processed at once.
type Queue[T comparable] struct {
	// TODO: add the fields you need
}

// New returns a queue without items.
func New[T comparable]() *Queue[T] {
	// TODO: make what your fields need
	return &Queue[T]{}
}

// Add says that an item has to be processed.
//
//   - An item that waits in the line keeps its place there. It is handed out once, however often it was added.
//   - An item that is being processed comes into the line when Done is called: once, however often it was added until
//     then.
//   - Any other item comes into the line now.
//   - Add does not wait: there is room for any number of items.
func (q *Queue[T]) Add(item T) {
	// TODO: put the item into the line, or remember it
}

// Len returns how many items are in the line. What is being processed does not count, also when it was added again.
func (q *Queue[T]) Len() int {
	// TODO: count
	return 0
}

// Get takes the first item out of the line.
//
//   - While the line is empty, Get waits. It does not look again and again: it goes on at the moment when an item
//     comes. Several Gets may wait, and none does while an item is in the line.
//   - When the queue is shut down and the line is empty, Get returns at once, and shutdown is true, also while items
//     are being processed. Then item means nothing.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	// TODO: wait for an item, or for the end
	return item, true
}

// Done says that an item was processed. It is called once for each item that Get has returned, by any goroutine.
//
//   - An item that was added after that Get comes into the line now, at its end.
func (q *Queue[T]) Done(item T) {
	// TODO: the item is no longer processed: what follows from that?
}

// ShutDown says that nothing is to be added any more. It waits for nobody, and may be called several times.
//
//   - From then on Add does nothing, also when the item is being processed.
//   - What was added before is handed out all the same: what is in the line, and what comes there with its Done.
//   - Every Get that waits returns.
func (q *Queue[T]) ShutDown() {
	// TODO: nothing is added any more, and nobody waits
}

// ShutDownWithDrain does what ShutDown does, and then waits until everything was processed. It is not called after
// ShutDown.
//
//   - It returns as soon as no item is in the line and none is being processed. While nobody calls Get and Done, it
//     waits.
//   - A ShutDown ends the waiting: then it returns, whatever is left.
//   - It may be called several times. Another ShutDownWithDrain does not end the waiting.
func (q *Queue[T]) ShutDownWithDrain() {
	// TODO: nothing is added any more, and all that is there is to be processed
}

// ShuttingDown says whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	// TODO: was it?
	return false
}
