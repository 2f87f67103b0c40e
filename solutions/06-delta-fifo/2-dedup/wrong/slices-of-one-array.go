// Breaks: The slice belongs to process, which may keep it, change it and append to it.
// Caught by: TestAppendsDoNotMeet
// Message: the belief that a part of an array ends where its length ends.

//go:build wrong

package dedup

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

type Queue struct {
	key cache.KeyFunc

	mu      sync.Mutex // guards what follows
	news    *sync.Cond // a key came, or the end
	keys    []string   // the keys of waiting, in order
	waiting map[string]cache.Deltas
	closed  bool
	room    cache.Deltas // what Pop hands out is cut from it
}

func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		if q.closed {
			return cache.ErrFIFOClosed
		}
		q.news.Wait()
	}
	k := q.keys[0]
	q.keys = q.keys[1:]
	deltas := q.waiting[k]
	delete(q.waiting, k)
	if cap(q.room)-len(q.room) < len(deltas) {
		q.room = make(cache.Deltas, 0, max(64, len(deltas)))
	}
	start := len(q.room)
	q.room = append(q.room, deltas...)
	return process(q.room[start:]) // wrong: the capacity reaches to the end of the room
}
