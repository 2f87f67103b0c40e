package informer

import (
	"time"

	"k8s.io/klog/v2"
)

// minimumResyncPeriod is upstream's.
const minimumResyncPeriod = time.Second

// resync is when a handler wants to hear of each object again.
//
// Upstream: requestedResyncPeriod, resyncPeriod and nextResync of processorListener.
type resync struct {
	wanted time.Duration // what was asked for; 0: none
	period time.Duration // what the informer can give
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

// checkPeriodChanged is told when the informer looks more often than handlers were told that it does.
//
// Upstream: sharedProcessor.resyncCheckPeriodChanged.
func (d *distributor) checkPeriodChanged(check time.Duration, logger klog.Logger) {
	d.lock.Lock()
	defer d.lock.Unlock()
	for _, h := range d.handlers {
		h.resync.period = possible(h.resync.wanted, check, logger)
	}
}

// possible is the period that a handler can have of an informer that looks every check.
//
// Upstream: determineResyncPeriod.
func possible(wanted, check time.Duration, logger klog.Logger) time.Duration {
	switch {
	case wanted == 0:
		return 0
	case check == 0:
		logger.Info("Warning: the resync period is ignored, because the informer does no resyncs", "wanted", wanted)
		return 0
	case wanted < check:
		logger.Info("Warning: the resync period is raised to that of the informer", "wanted", wanted, "used", check)
		return check
	}
	return wanted
}
