// Misconception: a batch of one delta needs no array of its own.
// Caught by: TestRandomScripts
// Message: the belief that a batch of one delta needs no array of its own.

//go:build wrong

package batches

import "sync"

type Queue struct {
	most int

	mu      sync.Mutex
	changed *sync.Cond
	deltas  []Delta
	alone   [1]Delta // what is a batch of its own
	closed  bool
	begun   bool
	synced  bool
}

// take waits for a batch and takes it out of the queue.
func (q *Queue) take() ([]Delta, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.deltas) == 0 {
		if q.closed {
			return nil, ErrClosed
		}
		q.changed.Wait()
	}
	n := q.run()
	batch := append([]Delta(nil), q.deltas[:n]...)
	switch batch[0].Type {
	case ReplacedAll, SyncAll, Bookmark:
		q.alone[0] = batch[0]
		batch = q.alone[:]
	}
	q.deltas = q.deltas[n:]
	return batch, nil
}
