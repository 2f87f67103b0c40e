// Misconception: deltas that have different keys can be processed together, whatever they tell.
// Caught by: TestWhatIsAboutAllObjectsIsABatchOfItsOwn
// Message: the belief that another key is all that a batch needs.

//go:build wrong

package batches

// run is how many deltas from the front make a batch.
func (q *Queue) run() int {
	keys := map[string]bool{}
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		if keys[d.Key] && !alone || i == q.most {
			return max(i, 1)
		}
		keys[d.Key] = true
	}
	return len(q.deltas)
}
