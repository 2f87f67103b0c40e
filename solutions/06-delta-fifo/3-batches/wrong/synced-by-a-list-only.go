// Breaks: If the first delta is another one, it is true as soon as that is added.
// Caught by: TestHasSynced
// Message: it was no no no, no no yes

//go:build wrong

package batches

// Add puts a delta at the end of the queue.
func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.deltas = append(q.deltas, d)
	q.changed.Broadcast()
}
