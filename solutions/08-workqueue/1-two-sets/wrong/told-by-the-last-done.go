// Misconception: the last Done wakes all that wait, and so the end needs no call of its own.
// Caught by: TestEveryHistoryWithADrain
// Message: the last step was: ShutDownWithDrain returned, and a Get had not returned

//go:build wrong

package twosets

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true // wrong: nobody is told
	for !q.idle() && !q.forced {
		q.changed.Wait()
	}
}
