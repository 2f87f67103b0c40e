// Misconception: the longer a batch is, the better.
// Caught by: TestMost
// Message: the belief that the longer a batch is, the better.

//go:build wrong

package batches

// run is how many deltas from the front make a batch.
func (q *Queue) run() int {
	keys := map[string]bool{}
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		if alone || keys[d.Key] {
			return max(i, 1)
		}
		keys[d.Key] = true
	}
	return len(q.deltas)
}
