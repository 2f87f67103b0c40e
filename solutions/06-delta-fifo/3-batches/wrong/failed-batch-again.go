// Misconception: what failed is put back, so that it is tried again.
// Caught by: TestABatchHasLeftTheQueueAlsoWhenProcessFails
// Message: the belief that what failed is tried again by the queue.

//go:build wrong

package batches

import "slices"

// PopBatch takes a batch from the front of the queue and processes it.
func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	batch, err := q.take()
	if err != nil {
		return err
	}
	again, list := slices.Clone(batch), batch[0].Type == ReplacedAll
	err = process(batch)
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		q.deltas = append(again, q.deltas...)
	}
	q.synced = q.synced || list
	return err
}
