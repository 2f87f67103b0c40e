// Breaks: From then on Add does nothing.
// Caught by: TestEveryHistory
// Message: Add a; Get returns a; ShutDown; Add a; Done a; Get returns true

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
