// Breaks: An item that stands in the line keeps its place there, and does not come a second time.
// Stage: 1

//go:build wrong

package twosets

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if q.processing[item] {
		q.dirty[item] = true
		return
	}
	q.line = append(q.line, item) // wrong
	q.changed.Signal()
}
