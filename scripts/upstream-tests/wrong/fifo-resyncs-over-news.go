// Wrong: A resync repeats an object's old state behind a change that waits.
// Base: chapters/06-delta-fifo/fifo/resync.go
// Mechanism: fifo
// Upstream: TestDeltaFIFO_UpdateResyncRace
// Book: chapters/06-delta-fifo/fifo TestDeltaFIFO

//go:build wrong

package fifo

import "k8s.io/client-go/tools/cache"

func (q *queue[T]) resync(known cache.KeyListerGetter, _ func(key string) bool,
	put func(key string, delta cache.Delta)) error {
	for _, listed := range known.ListKeys() {
		obj, found := lookUp(q.logger, known, listed)
		if !found {
			continue
		}
		key, err := q.key(obj)
		if err != nil {
			return err
		}
		put(key, cache.Delta{Type: cache.Sync, Object: obj})
	}
	return nil
}
