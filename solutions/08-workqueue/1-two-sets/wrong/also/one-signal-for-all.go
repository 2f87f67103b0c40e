// Misconception: only the first item of a line is news for those that wait.
// Stage: 3

//go:build wrong

package twosets

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		if len(q.line) == 1 { // wrong
			q.changed.Signal()
		}
	}
}
