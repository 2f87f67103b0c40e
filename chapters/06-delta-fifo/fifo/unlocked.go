package fifo

// process takes the first n deltas from the line, and runs handle, which has seen them. The caller holds the lock, and
// has it again when process returns.
//
// With UnlockWhileProcessing others may add meanwhile. If two full batches wait, they may not: a producer that is
// faster than its consumer has to be slowed down somewhere, or the queue grows without end.
//
// Upstream: RealFIFO.whileProcessing_locked, in tools/cache/the_real_fifo.go.
func (q *RealFIFO) process(n int, handle func(isInInitialList bool) error) error {
	isInInitialList := !q.first.isDone()
	q.waiting.leave(n)
	ofFirst := q.first.take(n)
	defer func() { q.first.finish(ofFirst) }() // not before: who has synced has processed
	if q.options.UnlockWhileProcessing && q.waiting.len() < 2*batchSize {
		q.lock.Unlock()
		defer q.lock.Lock()
	}
	return handle(isInInitialList)
}
