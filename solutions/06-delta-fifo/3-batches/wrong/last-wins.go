// Misconception: only the last state of an object counts.
// Caught by: TestAKeyIsInABatchOnce
// Message: the belief that only the last state of an object counts.

//go:build wrong

package batches

// Add puts a delta in the place of one that tells of the same object, if there is one behind the last list.
func (q *Queue) Add(d Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.begun {
		q.begun, q.synced = true, d.Type != ReplacedAll
	}
	defer q.changed.Broadcast()
	for i := len(q.deltas) - 1; i >= 0 && ofOne(q.deltas[i]) && ofOne(d); i-- {
		if q.deltas[i].Key == d.Key {
			q.deltas[i] = d
			return
		}
	}
	q.deltas = append(q.deltas, d)
}

func ofOne(d Delta) bool { return d.Type == Added || d.Type == Updated || d.Type == Deleted }
