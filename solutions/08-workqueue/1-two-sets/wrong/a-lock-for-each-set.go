// Misconception: what is two times safe is safe.
// Caught by: TestManyWorkers
// Message: no item is with two workers at once

//go:build wrong

package twosets

import "runtime"

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	for len(q.line) == 0 && !q.closed {
		q.changed.Wait()
	}
	if len(q.line) == 0 {
		q.mu.Unlock()
		return item, true
	}
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.mu.Unlock() // wrong: it is in neither set
	runtime.Gosched()
	q.mu.Lock()
	q.processing[item] = true
	q.mu.Unlock()
	return item, false
}
