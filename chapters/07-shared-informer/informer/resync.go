package informer

import (
	"time"

	"k8s.io/klog/v2"
)

// minimumResyncPeriod is upstream's.
const minimumResyncPeriod = time.Second

// resync is when a handler wants to hear of each object again.
//
// Upstream: resyncPeriod and nextResync of processorListener.
type resync struct {
	period time.Duration // 0: never
	next   time.Time
	now    bool // updates without a change are for this handler. True at first, so until it is asked the first time
}

// shouldResync asks each handler whether it is time, and says whether it is for any of them. Handlers for which it is
// not hear nothing of an update that changes nothing, until they are asked again. The reflector calls it.
//
// Upstream: sharedProcessor.shouldResync.
func (d *distributor) shouldResync() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	anybody := false
	now := d.clock.Now()
	for _, h := range d.handlers {
		r := &h.resync
		r.now = r.period > 0 && !now.Before(r.next)
		if r.now {
			anybody = true
			r.next = now.Add(r.period)
		}
	}
	return anybody
}

// possible is the period that a handler can have, of an informer that looks as often or does no resyncs (check is 0).
//
// Upstream: determineResyncPeriod, which also raises a period that is shorter than check. No handler has one: it was
// raised before, or check was lowered.
func possible(wanted, check time.Duration, logger klog.Logger) time.Duration {
	if wanted > 0 && check == 0 {
		logger.Info("Warning: the resync period is ignored, because the informer does no resyncs", "wanted", wanted)
		return 0
	}
	return max(wanted, 0)
}
