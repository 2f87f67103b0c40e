// Misconception: to look from time to time is to wait, or does no harm besides.
// Caught by: TestGetsWaitInPeace
// Message: the belief that to look from time to time is to wait.

//go:build wrong

package twosets

import "time"

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.line) == 0 && !q.closed {
		again := time.AfterFunc(10*time.Millisecond, q.changed.Broadcast) // wrong
		q.changed.Wait()
		again.Stop()
	}
	if len(q.line) == 0 {
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}
