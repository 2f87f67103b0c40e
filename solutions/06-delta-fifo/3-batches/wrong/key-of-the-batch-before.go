// Breaks: A batch of others begins with the delta at the front, and is as long as it can be: it ends before a delta
// whose key is in it already, before a ReplacedAll, a SyncAll or a Bookmark, when it has as many deltas as New was
// told, or when there is no further one in the queue: PopBatch waits for a first one only.
// Caught by: TestRandomScripts
// Message: the one before was
// Base: alt/grown

//go:build wrong

package batches

import "sync"

type Queue struct {
	most int

	lock    sync.Mutex
	nonzero sync.Cond
	batches []*batch
	keys    map[string]struct{} // of the last batch, also when it was taken
	closed  bool
	first   Type
	list    bool
}

// Add puts a delta at the end of the queue.
func (q *Queue) Add(d Delta) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.first == "" {
		q.first = d.Type
	}
	if len(q.batches) == 0 && q.keys != nil {
		q.batches = append(q.batches, &batch{keys: q.keys})
	} else if len(q.batches) == 0 || !q.batches[len(q.batches)-1].fits(d, q.most) {
		q.keys = map[string]struct{}{}
		q.batches = append(q.batches, &batch{keys: q.keys})
	}
	last := q.batches[len(q.batches)-1]
	last.deltas = append(last.deltas, d)
	last.keys[d.Key] = struct{}{}
	q.nonzero.Signal()
}
