// Misconception: it is safer to look now and then as well.
// Caught by: TestWaitsWithoutLooking
// Message: the belief that it is safer to look now and then as well.
// Base: alt/channel

//go:build wrong

package batches

import "time"

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
		select {
		case <-q.wake:
		case <-time.After(200 * time.Millisecond): // wrong
		}
	}
}
