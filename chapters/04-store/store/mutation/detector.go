package mutation

import (
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

var _ cache.MutationDetector = (*Detector)(nil)

// Detector watches objects for changes. It is safe for concurrent use.
//
// It costs a deep copy of each object, and time in each read: it is for tests and for an hour with a bug, and not for
// production.
type Detector struct {
	// Name is that of the cache, for messages.
	Name string
	// Period is the time between two comparisons of [Detector.Run]; one second, if it is not set.
	Period time.Duration
	// Retain is for how long an object is still watched when the cache has dropped it, since somebody may still hold
	// it; two minutes, if it is not set.
	Retain time.Duration
	// OnMutation is told of each mutation that Run finds. Without it Run panics, as upstream's does: after a mutation
	// nothing that the program says can be relied on.
	OnMutation func(Mutation)
	// Clock tells the time; the real one, if it is not set.
	Clock clock.WithTicker

	mu       sync.Mutex
	records  []*record // in the order in which they were added
	byObject map[runtime.Object]*record
	holds    func(runtime.Object) bool // whether the cache has the object; nil: nobody knows
}

// record is what is known of one object, which is one pointer: the next version of the object is another record.
type record struct {
	object   runtime.Object
	copied   runtime.Object
	received sites // since the last comparison
	earlier  sites
	dropped  time.Time // when the cache was found not to have it any more; zero: it has it
}

// AddObject has an object watched from now on. What is no API object, is no pointer, or is watched already, is left
// alone.
//
// Upstream: cache.MutationDetector.AddObject.
func (d *Detector) AddObject(object any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch(object)
}

// Received has the caller remembered as one that holds the objects, and has those watched that are not yet.
func (d *Detector) Received(objects ...any) {
	site := caller()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, object := range objects {
		if r := d.watch(object); r != nil {
			r.received.add(site)
		}
	}
}

// watch returns the record of an object, a new one if need be, and nil for what cannot be watched. A pointer is
// compared by its address; what is no pointer was copied when it was handed out, and nobody can change the cache
// through it.
func (d *Detector) watch(object any) *record {
	o, ok := object.(runtime.Object)
	if !ok || reflect.ValueOf(o).Kind() != reflect.Pointer || reflect.ValueOf(o).IsNil() {
		return nil
	}
	if r := d.byObject[o]; r != nil {
		return r
	}
	r := &record{object: o, copied: o.DeepCopyObject()}
	if d.byObject == nil {
		d.byObject = map[runtime.Object]*record{}
	}
	d.byObject[o] = r
	d.records = append(d.records, r)
	return r
}

// Run compares every [Detector.Period] until stopCh is closed, and once more then.
//
// Upstream: cache.MutationDetector.Run, which does not look again at its end.
func (d *Detector) Run(stopCh <-chan struct{}) {
	ticker := d.clock().NewTicker(orElse(d.Period, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-stopCh:
			d.tell()
			return
		case <-ticker.C():
			d.tell()
		}
	}
}

// tell compares, and passes on what it finds.
func (d *Detector) tell() {
	for _, m := range d.Check() {
		if d.OnMutation == nil {
			panic(m.String())
		}
		d.OnMutation(m)
	}
}

func (d *Detector) clock() clock.WithTicker {
	if d.Clock != nil {
		return d.Clock
	}
	return clock.RealClock{}
}

// orElse is the period, or its default.
func orElse(period, byDefault time.Duration) time.Duration {
	if period > 0 {
		return period
	}
	return byDefault
}
