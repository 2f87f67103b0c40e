// Misconception: the place of an item is that of its Add, also while a worker has it.
// Stage: 2

//go:build wrong

package twosets

import "slices"

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	q.line = append(q.line, item) // wrong: Done should do that
	q.changed.Signal()
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		at := slices.IndexFunc(q.line, func(item T) bool { return !q.processing[item] })
		if at >= 0 {
			item = q.line[at]
			q.line = slices.Delete(q.line, at, at+1)
			delete(q.dirty, item)
			q.processing[item] = true
			return item, false
		}
		if q.closed {
			return item, true
		}
		q.changed.Wait()
	}
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	q.changed.Broadcast()
}
