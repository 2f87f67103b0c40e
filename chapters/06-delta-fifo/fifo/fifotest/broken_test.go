package fifotest

import (
	"slices"

	"k8s.io/client-go/tools/cache"
)

// whole is one of upstream's queues. Each of the queues below breaks one thing of it.
type whole struct{ cache.Queue }

func (w whole) Bookmark(version string) error {
	return w.Queue.(cache.ReflectorBookmarkStore).Bookmark(version)
}

func (w whole) PopBatch(batch cache.ProcessBatchFunc, single cache.PopProcessFunc) error {
	return w.Queue.(cache.QueueWithBatch).PopBatch(batch, single)
}

// popping changes what is popped.
type popping struct {
	whole
	change func(cache.Deltas) cache.Deltas
}

func (p popping) Pop(process cache.PopProcessFunc) (any, error) {
	for {
		var changed cache.Deltas
		_, err := p.whole.Pop(func(obj any, isInInitialList bool) error {
			if changed = p.change(slices.Clone(obj.(cache.Deltas))); len(changed) == 0 {
				return nil
			}
			return process(changed, isInInitialList)
		})
		switch {
		case len(changed) > 0:
			return changed, err
		case err != nil:
			return nil, err
		}
	}
}

func (p popping) PopBatch(batch cache.ProcessBatchFunc, single cache.PopProcessFunc) error {
	return p.whole.PopBatch(func(deltas []cache.Delta, isInInitialList bool) error {
		return batch(p.change(deltas), isInInitialList)
	}, func(obj any, isInInitialList bool) error {
		return single(p.change(obj.(cache.Deltas)), isInInitialList)
	})
}

func lastTwo(d cache.Deltas) cache.Deltas { return d[max(0, len(d)-2):] }

func latest(d cache.Deltas) cache.Deltas { return d[len(d)-1:] }

// swallowed leaves nothing of what was before a deletion.
func swallowed(d cache.Deltas) cache.Deltas {
	for i := len(d) - 1; i > 0; i-- {
		if d[i].Type == cache.Deleted {
			return d[i:]
		}
	}
	return d
}

// mapped changes each delta, or drops it.
func mapped(change func(cache.Delta) (cache.Delta, bool)) func(cache.Deltas) cache.Deltas {
	return func(deltas cache.Deltas) (changed cache.Deltas) {
		for _, d := range deltas {
			if d, ok := change(d); ok {
				changed = append(changed, d)
			}
		}
		return changed
	}
}

// stateless forgets what a tombstone knows.
func stateless(d cache.Delta) (cache.Delta, bool) {
	if t, ok := d.Object.(cache.DeletedFinalStateUnknown); ok {
		d.Object = cache.DeletedFinalStateUnknown{Key: t.Key}
	}
	return d, true
}

// onlyKnown drops a Replace's deletions of what is in the queue alone.
func onlyKnown(known cache.KeyListerGetter) func(cache.Delta) (cache.Delta, bool) {
	return func(d cache.Delta) (cache.Delta, bool) {
		t, ok := d.Object.(cache.DeletedFinalStateUnknown)
		return d, !ok || slices.Contains(known.ListKeys(), t.Key)
	}
}

// uselessDeletions drops deletions of what was not seen before.
func uselessDeletions() func(cache.Delta) (cache.Delta, bool) {
	seen := map[string]bool{}
	return func(d cache.Delta) (cache.Delta, bool) {
		key := keyIn(describe(d.Object))
		defer func() { seen[key] = d.Type != cache.Deleted }()
		return d, d.Type != cache.Deleted || seen[key]
	}
}

// onlyQueued shows a Replace no known objects.
type onlyQueued struct {
	whole
	known *known
}

func (o onlyQueued) Replace(list []any, version string) error {
	known := o.known.texts
	o.known.texts = nil
	defer func() { o.known.texts = known }()
	return o.whole.Replace(list, version)
}

// early has synced when the first batch has come.
type early struct {
	whole
	replaced *bool
}

func (e early) Replace(list []any, version string) error {
	*e.replaced = true
	return e.whole.Replace(list, version)
}

func (e early) HasSynced() bool { return *e.replaced || e.whole.HasSynced() }

// onPop has synced when its first batch is popped, and does not wait until it is processed.
type onPop struct {
	whole
	popped *bool
}

func (o onPop) PopBatch(batch cache.ProcessBatchFunc, single cache.PopProcessFunc) error {
	return o.whole.PopBatch(batch, func(obj any, isInInitialList bool) error {
		*o.popped = true
		return single(obj, isInInitialList)
	})
}

func (o onPop) HasSynced() bool { return *o.popped || o.whole.HasSynced() }

// late has not synced before something is replaced.
type late struct{ early }

func (l late) HasSynced() bool { return *l.replaced && l.whole.HasSynced() }

// oneWaiter remembers one of those who wait, and never wakes the others.
type oneWaiter struct {
	whole
	one chan struct{}
}

func (o oneWaiter) Pop(process cache.PopProcessFunc) (any, error) {
	select {
	case o.one <- struct{}{}:
	default:
		select {}
	}
	defer func() { <-o.one }()
	return o.whole.Pop(process)
}

// sleeping closes without waking anybody.
type sleeping struct {
	whole
	closed *bool
}

func (s sleeping) Close() { *s.closed = true }

func (s sleeping) Pop(process cache.PopProcessFunc) (any, error) {
	if *s.closed {
		s.whole.Close()
	}
	return s.whole.Pop(process)
}

// forgetful has nothing any more when it is closed.
type forgetful struct{ whole }

func (f forgetful) Close() {
	f.whole.Close()
	for err := error(nil); err == nil; {
		_, err = f.whole.Pop(func(any, bool) error { return nil })
	}
}

// requeueing puts what was not processed back.
type requeueing struct{ whole }

func (r requeueing) Pop(process cache.PopProcessFunc) (any, error) {
	obj, err := r.whole.Pop(process)
	if err != nil && obj != nil {
		r.whole.Add(obj.(cache.Deltas).Newest().Object)
	}
	return obj, err
}

// resyncing says Sync on top of a deletion that waits.
type resyncing struct {
	popping
	resynced *bool
}

func newResyncing(w whole, known *known) cache.Queue {
	resynced := false
	return resyncing{popping{w, func(d cache.Deltas) cache.Deltas {
		obj, exists, _ := known.GetByKey(keyIn(describe(d.Newest().Object)))
		if resynced && exists && d.Newest().Type == cache.Deleted {
			d = append(d, cache.Delta{Type: cache.Sync, Object: obj})
		}
		return d
	}}, &resynced}
}

func (r resyncing) Resync() error {
	*r.resynced = true
	return r.whole.Resync()
}

// unlocked takes deltas from the queue, gives the lock back, and processes them.
type unlocked struct{ whole }

func (u unlocked) Pop(process cache.PopProcessFunc) (any, error) {
	first := false
	obj, err := u.whole.Pop(func(_ any, isInInitialList bool) error { first = isInInitialList; return nil })
	if err != nil {
		return nil, err
	}
	return obj, process(obj, first)
}

// deaf does not hear of bookmarks.
type deaf struct{ whole }

func (d deaf) Bookmark(string) error { return nil }

// single makes no batches.
type single struct{ whole }

func (s single) PopBatch(_ cache.ProcessBatchFunc, process cache.PopProcessFunc) error {
	_, err := s.Pop(process)
	return err
}

// backwards turns each batch around.
type backwards struct{ whole }

func (b backwards) PopBatch(batch cache.ProcessBatchFunc, single cache.PopProcessFunc) error {
	return b.whole.PopBatch(func(deltas []cache.Delta, isInInitialList bool) error {
		slices.Reverse(deltas)
		return batch(deltas, isInInitialList)
	}, single)
}

// plural makes a batch of one, too.
type plural struct{ whole }

func (p plural) PopBatch(batch cache.ProcessBatchFunc, _ cache.PopProcessFunc) error {
	return p.whole.PopBatch(batch, func(obj any, isInInitialList bool) error {
		return batch(obj.(cache.Deltas), isInInitialList)
	})
}

func changing(change func(cache.Deltas) cache.Deltas) func(whole, *known) cache.Queue {
	return func(w whole, _ *known) cache.Queue { return popping{w, change} }
}

func newOnlyKnown(w whole, known *known) cache.Queue { return popping{w, mapped(onlyKnown(known))} }

func newOnlyQueued(w whole, known *known) cache.Queue { return onlyQueued{w, known} }

func newEarly(w whole, _ *known) cache.Queue { return early{w, new(bool)} }

func newOnPop(w whole, _ *known) cache.Queue { return onPop{w, new(bool)} }

func newLate(w whole, _ *known) cache.Queue { return late{early{w, new(bool)}} }

func newOneWaiter(w whole, _ *known) cache.Queue { return oneWaiter{w, make(chan struct{}, 1)} }

func newSleeping(w whole, _ *known) cache.Queue { return sleeping{w, new(bool)} }

func newForgetful(w whole, _ *known) cache.Queue { return forgetful{w} }

func newRequeueing(w whole, _ *known) cache.Queue { return requeueing{w} }

func newUnlocked(w whole, _ *known) cache.Queue { return unlocked{w} }

func newSingle(w whole, _ *known) cache.Queue { return single{w} }

func newBackwards(w whole, _ *known) cache.Queue { return backwards{w} }

func newPlural(w whole, _ *known) cache.Queue { return plural{w} }

func newDeaf(w whole, _ *known) cache.Queue { return deaf{w} }
