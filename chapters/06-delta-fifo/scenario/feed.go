package scenario

import (
	"cmp"
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Feed is where the queues are filled from: each call of a Reflector is shown, and goes to all of them. It has no
// Bookmark, since a server sends bookmarks when it likes.
type Feed struct {
	*lab.Lab
	// Sides are in the order in which they are called.
	Sides []*Side
	// Took is how long the last call took, for each side.
	Took map[*Side]time.Duration
	// Began has one element if a call has begun since it was last received from.
	Began chan struct{}

	calls chan struct{} // those that have ended, for Await
}

var _ cache.ReflectorStore = (*Feed)(nil)

// NewFeed makes a feed of these sides.
func NewFeed(l *lab.Lab, sides ...*Side) *Feed {
	return &Feed{Lab: l, Sides: sides, Took: map[*Side]time.Duration{},
		Began: make(chan struct{}, 1), calls: make(chan struct{}, 100)}
}

// Add implements cache.ReflectorStore, as do the others.
func (f *Feed) Add(object any) error { return f.one("Add", object, cache.Queue.Add) }

// Update passes on an update.
func (f *Feed) Update(object any) error { return f.one("Update", object, cache.Queue.Update) }

// Delete passes on a deletion.
func (f *Feed) Delete(object any) error { return f.one("Delete", object, cache.Queue.Delete) }

func (f *Feed) one(call string, object any, do func(cache.Queue, any) error) error {
	f.Became("%-8s%s", call, Version(object))
	return f.all(func(q cache.Queue) error { return do(q, object) })
}

// Replace passes on a list, by name: after a streaming list, a Reflector gives its objects in no order.
func (f *Feed) Replace(list []any, resourceVersion string) error {
	list = sorted(list)
	f.Became("%-8s%s", "Replace", cmp.Or(Versions(list), "nothing"))
	return f.all(func(q cache.Queue) error { return q.Replace(list, resourceVersion) })
}

// Resync passes on a resync.
func (f *Feed) Resync() error {
	f.Became("Resync")
	return f.all(cache.Queue.Resync)
}

func (f *Feed) all(call func(cache.Queue) error) error {
	select {
	case f.Began <- struct{}{}:
	default:
	}
	defer func() { f.calls <- struct{}{} }()
	for _, s := range f.Sides {
		began := time.Now()
		if err := call(s.Queue); err != nil {
			return err
		}
		f.Took[s] = time.Since(began)
	}
	return nil
}

// Await waits for the end of a call.
func (f *Feed) Await(ctx context.Context) error {
	select {
	case <-f.calls:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reflect has a Reflector feed the queues over a client, until stop is called. It returns after the first list.
func (f *Feed) Reflect(ctx context.Context, over kubernetes.Interface) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	reflector := cache.NewReflectorWithOptions(Source(over, f.Namespace), &corev1.ConfigMap{}, f,
		cache.ReflectorOptions{})
	done := make(chan struct{})
	go func() { defer close(done); reflector.RunWithContext(ctx) }()
	stop = func() { cancel(); <-done }
	if err := f.Await(ctx); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// CatchUp has all consumers process the first list.
func (f *Feed) CatchUp() error {
	for _, s := range f.Sides {
		if err := s.CatchUp(); err != nil {
			return err
		}
	}
	return nil
}
