// Breaks: From then on Add does nothing, also when the item is being processed.
// Caught by: TestShutDown
// Message: Add a; Get: a; ShutDown; Add a; Done a; Len: 0

//go:build wrong

package twosets

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.dirty[item]:
	case q.processing[item]: // wrong: asked first
		q.dirty[item] = true
	case !q.closed:
		q.dirty[item] = true
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}
