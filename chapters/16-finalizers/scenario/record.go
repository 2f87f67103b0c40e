package scenario

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
)

// Moment is when something was seen of an object, since the record's zero.
type Moment struct {
	Going, Gone time.Duration // the deletionTimestamp, and the DELETED event; -1 if they were not seen
	Last        client.Object // as it was seen last
}

// Record is what watches show of some objects, by name.
type Record struct {
	lock    sync.Mutex // guards what follows
	zero    time.Time
	moments map[string]Moment
	events  []watch.Interface
	works   sync.WaitGroup
}

// NewRecord watches kinds of objects in a namespace, until it is closed.
func NewRecord(ctx context.Context, over client.WithWatch, namespace string,
	kinds ...client.ObjectList) (*Record, error) {
	r := &Record{zero: time.Now(), moments: map[string]Moment{}}
	for _, kind := range kinds {
		events, err := over.Watch(ctx, kind, client.InNamespace(namespace))
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("watch %T: %w", kind, err)
		}
		r.events = append(r.events, events)
		r.works.Go(func() { r.hear(events) })
	}
	return r, nil
}

func (r *Record) hear(events watch.Interface) {
	for e := range events.ResultChan() {
		o, ok := e.Object.(client.Object)
		if !ok {
			continue
		}
		r.lock.Lock()
		m, ok := r.moments[o.GetName()]
		if !ok || m.Last.GetUID() != o.GetUID() {
			m = Moment{Going: -1, Gone: -1}
		}
		m.Last = o
		if o.GetDeletionTimestamp() != nil && m.Going < 0 {
			m.Going = time.Since(r.zero)
		}
		if e.Type == watch.Deleted {
			m.Gone = time.Since(r.zero)
		}
		r.moments[o.GetName()] = m
		r.lock.Unlock()
	}
}

// Begin makes this moment the record's zero.
func (r *Record) Begin() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.zero = time.Now()
}

// Of is what was seen of an object.
func (r *Record) Of(name string) Moment {
	r.lock.Lock()
	defer r.lock.Unlock()
	if m, ok := r.moments[name]; ok {
		return m
	}
	return Moment{Going: -1, Gone: -1}
}

// Gone waits until all of these are gone.
func (r *Record) Gone(ctx context.Context, names ...string) error {
	return owning.Until(ctx, func() bool {
		return !slices.ContainsFunc(names, func(name string) bool { return r.Of(name).Gone < 0 })
	})
}

// Until is how long it is until a moment of the record.
func (r *Record) Until(moment time.Duration) time.Duration {
	r.lock.Lock()
	defer r.lock.Unlock()
	return time.Until(r.zero.Add(moment))
}

// Close ends the watches.
func (r *Record) Close() {
	for _, events := range r.events {
		events.Stop()
	}
	r.works.Wait()
}

// Seconds is a moment for people, or a word for one that was not seen.
func Seconds(d time.Duration, never string) string {
	if d < 0 {
		return never
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
