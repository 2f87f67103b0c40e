// Misconception: order counts for each key alone, so that a batch may skip what is in it already.
// Caught by: TestAKeyIsInABatchOnce
// Message: the belief that order counts for each key alone.

//go:build wrong

package batches

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return nil, ErrClosed
		}
		q.changed.Wait()
	}

	keys, batch, rest := map[string]bool{}, []Delta(nil), []Delta(nil)
	open := true
	for _, d := range q.deltas {
		alone := d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
		switch {
		case open && alone && len(batch) == 0:
			batch, open = append(batch, d), false
		case !open || alone || len(batch) == q.most:
			rest, open = append(rest, d), false
		case keys[d.Key]:
			rest = append(rest, d)
		default:
			keys[d.Key] = true
			batch = append(batch, d)
		}
	}
	q.deltas = rest
	return batch, nil
}
