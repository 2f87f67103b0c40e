package kubelet

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
)

// Debounce makes one of the events of a key that come soon after each other. The first of them begins a window, and at
// its end the key is told once, whatever else has come meanwhile. So no event waits longer than the window: an alarm
// that each event sets anew would never ring while events come faster than it.
//
// Upstream has two that are like it: the kubelet's PLEG (pkg/kubelet/pleg/generic.go) lists once a second, however much
// happens, and a workqueue's AddAfter keeps the earliest time of a key.
type Debounce struct {
	clock  clock.WithTicker
	window time.Duration
	tell   func(types.NamespacedName)
	works  sync.WaitGroup

	lock    sync.Mutex // guards what follows
	open    map[types.NamespacedName]bool
	stopped bool
}

// NewDebounce makes one that calls tell from a goroutine of its own.
func NewDebounce(c clock.WithTicker, window time.Duration, tell func(types.NamespacedName)) *Debounce {
	return &Debounce{clock: c, window: window, tell: tell, open: map[types.NamespacedName]bool{}}
}

// Event is one of a key. It never waits. When ctx, that of the event which begins a window, ends first, the key is told
// at once: somebody who listens no longer does not mind, and nothing is lost to those who do.
func (d *Debounce) Event(ctx context.Context, key types.NamespacedName) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.stopped || d.open[key] {
		return
	}
	d.open[key] = true
	d.works.Go(func() {
		timer := d.clock.NewTimer(d.window)
		defer timer.Stop()
		select {
		case <-timer.C():
		case <-ctx.Done():
		}
		d.lock.Lock() // an event that comes from now on may be one that the listener does not see
		delete(d.open, key)
		d.lock.Unlock()
		d.tell(key)
	})
}

// Stop returns when no window is open. Events are nobody's any more.
func (d *Debounce) Stop() {
	d.lock.Lock()
	d.stopped = true
	d.lock.Unlock()
	d.works.Wait()
}
