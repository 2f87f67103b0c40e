// Misconception: the zero value is no item.
// Caught by: TestInLineOnce
// Message: the belief that a zero value is no item.

//go:build wrong

package twosets

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var nothing T
	if item == nothing || q.closed || q.dirty[item] { // wrong
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}
