package fifo

import "k8s.io/client-go/tools/cache"

// Resync queues a Sync delta for each known object of which nothing is queued: a state behind a change that waits would
// take the store back. An object that cannot be looked up is left out, and the log says so. An error is a
// cache.KeyError of a known object; those before it are queued then.
//
// Upstream: DeltaFIFO.Resync.
func (q *DeltaFIFO) Resync() error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.known == nil {
		return nil
	}
	for _, known := range q.known.ListKeys() {
		obj, found := lookUp(q.logger, q.known, known)
		if !found {
			continue
		}
		key, err := q.key(obj)
		if err != nil {
			return err
		}
		if len(q.deltas[key]) == 0 {
			q.put(key, cache.Delta{Type: cache.Sync, Object: obj})
		}
	}
	return nil
}

// Resync of an atomic queue queues one SyncAll delta. Another queue does what [DeltaFIFO.Resync] does.
//
// Upstream: RealFIFO.Resync.
func (q *RealFIFO) Resync() error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.atomic {
		q.join(cache.Delta{Type: cache.SyncAll, Object: cache.SyncAllInfo{}})
		return nil
	}
	_, queued, err := newestOf(q.waiting.all(), q.key)
	if err != nil {
		return err
	}
	for _, key := range q.known.ListKeys() {
		if _, isQueued := queued[key]; isQueued {
			continue
		}
		obj, found := lookUp(q.logger, q.known, key)
		if !found {
			continue
		}
		if _, err := q.key(obj); err != nil {
			return err
		}
		q.join(cache.Delta{Type: cache.Sync, Object: obj})
	}
	return nil
}
