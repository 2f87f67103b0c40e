package reflector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// stream puts the initial state into the store by a streaming list, and returns the watch that goes on from there. It
// may take more than one. The events are collected apart until the state is complete: an incomplete one is none that
// the server ever had.
//
// Upstream: watchList.
func (r *Reflector) stream(ctx context.Context) (w *accepted, o outcome) {
	o = r.try(ctx, Streaming, func() error {
		start := r.options.Clock.Now()
		opened, err := r.openWatch(ctx, Streaming, metav1.ListOptions{
			ResourceVersion:      r.options.Parts.Versions.Stream(),
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
			SendInitialEvents:    ptr.To(true),
		})
		if err != nil {
			return err
		}
		defer func() {
			if w == nil { // an error, or a panic
				opened.Stop()
			}
		}()
		if err := r.takeInitial(ctx, opened); err != nil {
			return r.orVeryShort(err, start, opened.passed.Load())
		}
		w = opened
		return nil
	})
	return w, o
}

// takeInitial reads the initial state of a streaming list and replaces the store's content by it.
func (r *Reflector) takeInitial(ctx context.Context, w *accepted) error {
	initial := store.New(cache.DeletionHandlingMetaNamespaceKeyFunc, nil, r.transformation()...)
	version, err := r.options.Parts.Initial(ctx, w, initial)
	if err != nil {
		return err
	}
	if err := r.into.Replace(initial.List(), version); err != nil {
		return fmt.Errorf("unable to sync watch-list result: %w", err)
	}
	r.options.Parts.Versions.Synced(version)
	return nil
}

// transformation has the collected objects transformed as the store will keep them, so that they are small at once.
func (r *Reflector) transformation() []store.Option {
	if t, ok := r.into.(cache.TransformingStore); ok && t.Transformer() != nil {
		return []store.Option{store.WithTransformer(t.Transformer())}
	}
	return nil
}

// openWatch sends the request for a watch.
func (r *Reflector) openWatch(ctx context.Context, doing Doing, options metav1.ListOptions) (*accepted, error) {
	// Watches that were opened together end apart.
	spread := 1 + rand.Float64()
	options.TimeoutSeconds = ptr.To(int64(r.options.MinWatchTimeout.Seconds() * spread))
	options.AllowWatchBookmarks = true
	r.options.Observer.Request(doing, options)
	w, err := await(ctx, func() (watch.Interface, error) {
		return r.source.WatchWithContext(ctx, options)
	}, func(w watch.Interface) { w.Stop() })
	if err != nil {
		return nil, err
	}
	return r.accept(ctx, w), nil
}

// veryShort is the time in which a watch that ends without an event has failed. To open it again at once would be a
// loop that only the server's speed limits.
const veryShort = time.Second

// orVeryShort is err, or a VeryShortWatchError where a response that began at start ended in good order too early.
func (r *Reflector) orVeryShort(err error, start time.Time, events int64) error {
	if goodOrder(err) == nil && events == 0 && r.options.Clock.Since(start) < veryShort {
		return &cache.VeryShortWatchError{Name: r.options.Name}
	}
	return err
}
