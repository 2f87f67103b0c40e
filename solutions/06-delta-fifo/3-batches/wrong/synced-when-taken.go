// Misconception: the first list is seen when it has left the queue.
// Caught by: TestHasSynced
// Message: the belief that the first list is seen when it is taken out of the queue.

//go:build wrong

package batches

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	batch, err := q.take()
	if err != nil {
		return err
	}
	q.mu.Lock()
	q.synced = q.synced || batch[0].Type == ReplacedAll
	q.mu.Unlock()
	return process(batch)
}
