package fifo

import "k8s.io/client-go/tools/cache"

// firstBatch is what the first Replace leaves in the line; or nothing, if a single change came before. An informer has
// synced when the first batch is done.
type firstBatch struct {
	known   bool // by now it is settled what it is
	waiting int  // so many are still in the line, at its front
	undone  int  // so many are in the line or being processed
	done    chan struct{}
}

// settle says what the first batch is, the first time that it is called.
func (f *firstBatch) settle(size int) {
	if f.known {
		return
	}
	f.known, f.waiting, f.undone = true, size, size
	if size == 0 {
		close(f.done)
	}
}

// take is told that n leave the line, and returns how many of them are of the first batch.
func (f *firstBatch) take(n int) int {
	n = min(n, f.waiting)
	f.waiting -= n
	return n
}

// finish is told that n of the first batch are done.
func (f *firstBatch) finish(n int) {
	f.undone -= n
	if n > 0 && f.undone == 0 {
		close(f.done)
	}
}

func (f *firstBatch) isDone() bool { return f.known && f.undone == 0 }

// HasSynced says whether the first batch is done: what the first Replace put into the queue, if nothing was added,
// updated or deleted before it, and otherwise nothing.
//
// Upstream: cache.Queue.HasSynced, in tools/cache/fifo.go.
func (q *queue[T]) HasSynced() bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.first.isDone()
}

// HasSyncedChecker is for whoever waits for [queue.HasSynced] instead of asking again and again.
//
// Upstream: cache.Queue.HasSyncedChecker, in tools/cache/fifo.go.
func (q *queue[T]) HasSyncedChecker() cache.DoneChecker { return q }

// Done is closed when the first batch is done.
//
// Upstream: cache.DoneChecker, in tools/cache/shared_informer.go.
func (q *queue[T]) Done() <-chan struct{} { return q.first.done }

// Name is how those who wait for the queue call it.
//
// Upstream: cache.DoneChecker, in tools/cache/shared_informer.go.
func (q *queue[T]) Name() string { return q.name }
