// Breaks: A batch has at most that many deltas; most is from 1 to 1000.
// Caught by: TestMost
// Message: they were [+a1 +b2 +c3 +d4] [+e5 +f6 +g7]

//go:build wrong

package batches

// run is how many deltas from the front make a batch.
func (q *Queue) run() int {
	keys := map[string]bool{}
	for i, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		if alone || keys[d.Key] || i > q.most {
			return max(i, 1)
		}
		keys[d.Key] = true
	}
	return len(q.deltas)
}
