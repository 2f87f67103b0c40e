// Breaks: Queues share nothing, and no goroutine is left behind by any of them, closed or not.
// Caught by: TestQueuesShareNothing
// Message: no data race

//go:build wrong

package batches

var made int // wrong: counts the batches of all queues, and each queue has a lock of its own

// run is how many deltas from the front make a batch. There is one at least.
func (q *Queue) run() int {
	made++
	keys := map[string]bool{}
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		if alone || keys[d.Key] || i == q.most {
			return max(i, 1)
		}
		keys[d.Key] = true
	}
	return len(q.deltas)
}
