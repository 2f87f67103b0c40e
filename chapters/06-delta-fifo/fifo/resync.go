package fifo

import "k8s.io/client-go/tools/cache"

// Resync queues a Sync delta for each known object of which nothing is queued. An object that cannot be looked up is
// left out, and the log says so. An error is a cache.KeyError of a known object; those before it are queued then.
//
// Upstream: DeltaFIFO.Resync.
func (q *DeltaFIFO) Resync() error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.options.KnownObjects == nil {
		return nil
	}
	isQueued := func(key string) bool { return len(q.deltas[key]) > 0 }
	return q.resync(q.options.KnownObjects, isQueued, q.put)
}

// Resync of an atomic queue queues one SyncAll delta. Another queue does what [DeltaFIFO.Resync] does.
//
// Upstream: RealFIFO.Resync.
func (q *RealFIFO) Resync() error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.options.AtomicEvents {
		q.join(cache.Delta{Type: cache.SyncAll, Object: cache.SyncAllInfo{}})
		return nil
	}
	_, queued, err := newestOf(q.waiting.all(), q.key)
	if err != nil {
		return err
	}
	isQueued := func(key string) bool { return queued[key].Type != "" }
	return q.resync(q.options.KnownObjects, isQueued, func(_ string, delta cache.Delta) { q.join(delta) })
}

// resync puts what is known on top of nothing: behind a change that waits, an older state would take the store back.
func (q *queue[T]) resync(known cache.KeyListerGetter, isQueued func(key string) bool,
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
		if !isQueued(key) {
			put(key, cache.Delta{Type: cache.Sync, Object: obj})
		}
	}
	return nil
}
