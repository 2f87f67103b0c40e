// Misconception: who does not wait yet need not be woken.
// Caught by: TestNoWakeUpIsLost
// Message: the belief that who does not wait yet need not be woken.
// Base: alt/channel

//go:build wrong

package batches

import "runtime"

// New makes an empty queue.
func New(most int) *Queue {
	return &Queue{most: most, wake: make(chan struct{})} // wrong: nothing is kept for who is about to receive
}

func (q *Queue) PopBatch(process func(batch []Delta) error) error {
	for {
		closed := q.closed.Load()
		if batch := q.take(); len(batch) > 0 {
			list := batch[0].Type == ReplacedAll
			err := process(batch)
			if list {
				q.synced.Store(true)
			}
			return err
		}
		if closed {
			return ErrClosed
		}
		runtime.Gosched() // it takes a moment to begin to wait, here for certain
		<-q.wake
	}
}
