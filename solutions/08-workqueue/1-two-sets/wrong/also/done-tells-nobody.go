// Breaks: While the line is empty Get waits, without looking again and again, and goes on when an item comes.
// Stage: 3

//go:build wrong

package twosets

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append(q.line, item) // wrong: and somebody may wait for it
	}
	if q.closed && q.idle() {
		q.changed.Broadcast()
	}
}
