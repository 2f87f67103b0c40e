// Breaks: A ReplacedAll, a SyncAll or a Bookmark is a batch of its own, and so is never in one with others.
// Caught by: TestWhatIsAboutAllObjectsIsABatchOfItsOwn
// Message: they were [+a1] [SYNC2] [~b3 MARK4 -c5 MARK6]

//go:build wrong

package batches

// run is how many deltas from the front make a batch.
func (q *Queue) run() int {
	keys := map[string]bool{}
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll
		if alone || keys[d.Key] || i == q.most {
			return max(i, 1)
		}
		keys[d.Key] = d.Type != Bookmark
	}
	return len(q.deltas)
}
