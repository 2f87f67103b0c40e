// Breaks: A batch stays as it was taken: what is added while process runs is for a later one.
// Caught by: TestNobodyWaitsForProcess
// Message: it was none, and then ErrClosed

//go:build wrong

package batches

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	batch, err := q.take()
	if err != nil {
		return err
	}
	q.mu.Lock()
	rest := q.deltas
	q.mu.Unlock()
	list := batch[0].Type == ReplacedAll
	err = process(batch)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.deltas = rest
	q.synced = q.synced || list
	return err
}
