// Wrong: A queue has synced when the first batch has been popped, and not processed.
// Base: chapters/06-delta-fifo/fifo/unlocked.go
// Mechanism: fifo
// Upstream: none
// Book: chapters/06-delta-fifo/fifo TestOneConsumerDoesNotFinishWhatAnotherProcesses

//go:build wrong

package fifo

func (q *RealFIFO) process(n int, handle func(isInInitialList bool) error) error {
	isInInitialList := !q.first.isDone()
	q.waiting.leave(n)
	q.first.finish(q.first.take(n))
	if q.options.UnlockWhileProcessing && q.waiting.len() < 2*batchSize {
		q.lock.Unlock()
		defer q.lock.Lock()
	}
	return handle(isInInitialList)
}
