// Misconception: a batch is what waits in the queue, whatever its keys.
// Caught by: TestAKeyIsInABatchOnce
// Message: the belief that a batch is whatever waits.

//go:build wrong

package batches

// run is how many deltas from the front make a batch.
func (q *Queue) run() int {
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		if alone || i == q.most {
			return max(i, 1)
		}
	}
	return len(q.deltas)
}
