// Misconception: the lock of a queue is held until the work is done, as it was by RealFIFO before it could unlock.
// Caught by: TestNobodyWaitsForProcess
// Message: the belief that a lock which guards a queue has to be held until its work is done.
// Removes: Queue.take

//go:build wrong

package batches

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return ErrClosed
		}
		q.changed.Wait()
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	q.deltas = q.deltas[n:]
	list := batch[0].Type == ReplacedAll
	err := process(batch)
	q.synced = q.synced || list
	return err
}
