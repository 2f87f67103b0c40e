// Breaks: Every delta comes out of the queue once and as it was added.
// Caught by: TestNoDeltaIsComparedWithAnother
// Message: comparing uncomparable type []int

//go:build wrong

package batches

func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.begun {
		q.begun, q.synced = true, d.Type != ReplacedAll
	}
	if n := len(q.deltas); n > 0 && q.deltas[n-1] == d {
		return // wrong: it happened twice
	}
	q.deltas = append(q.deltas, d)
	q.changed.Broadcast()
}
