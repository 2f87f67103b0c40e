// Misconception: of a list without objects there is nothing to process.
// Caught by: TestAnEmptyListIsAList
// Message: it was [yes yes yes]

//go:build wrong

package batches

func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.begun {
		q.begun, q.synced = true, d.Type != ReplacedAll || d.Object == nil // wrong: nobody has processed it
	}
	q.deltas = append(q.deltas, d)
	q.changed.Broadcast()
}
