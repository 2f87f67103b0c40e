package reflector

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// internalErrorSeries is the time without an internal error that ends a series of them.
const internalErrorSeries = time.Minute

// watch follows one watch after another, the first of them being open already if it came from a streaming list, until
// something else is due.
//
// Upstream: watchWithResync and watch.
func (r *Reflector) watch(ctx context.Context, w *accepted) outcome {
	resync := r.startResync(ctx)
	defer resync.cancel()
	o := r.watches(ctx, w, resync.failed)
	resync.cancel()
	r.resyncs.Wait() // not deferred: whoever is asked for a resync, and does not answer, would keep a panic back
	return o
}

// watches is watch, beside a resync that may fail.
func (r *Reflector) watches(ctx context.Context, w *accepted, failed <-chan error) outcome {
	internal := cache.NewRetryWithDeadline(r.options.MaxInternalErrorRetryDuration, internalErrorSeries,
		apierrors.IsInternalError, r.options.Clock)
	for {
		start := r.options.Clock.Now()
		if w == nil {
			var o outcome
			if w, start, o = r.reopen(ctx); w == nil {
				return o
			}
		}
		err := r.follow(ctx, w, start, failed)
		w = nil
		internal.After(err)
		if ctx.Err() != nil {
			return outcome{}
		}
		decision := r.decide(Watching, err)
		if apierrors.IsInternalError(err) && internal.ShouldRetry() {
			decision = Decision{Next: Again}
		}
		o := r.conclude(ctx, Watching, err, decision)
		if o.next != Again {
			return o
		}
		r.sleep(ctx, o.delay)
	}
}

// reopen opens a watch where the last one ended, and says when it was asked for. The watch is nil if something else is
// due.
func (r *Reflector) reopen(ctx context.Context) (w *accepted, start time.Time, o outcome) {
	o = r.try(ctx, Opening, func() (err error) {
		start = r.options.Clock.Now()
		w, err = r.openWatch(ctx, Opening, metav1.ListOptions{ResourceVersion: r.options.Parts.Versions.Watch()})
		return err
	})
	if w != nil {
		r.options.Parts.Versions.Opened()
	}
	return w, start, o
}

// follow takes the events of a watch into the store until it ends, and stops it. It returns nil when it ended in good
// order, and the error of a failed resync as if it were the watch's.
//
// Upstream: handleAnyWatch.
func (r *Reflector) follow(ctx context.Context, w *accepted, start time.Time, failed <-chan error) error {
	defer w.Stop()
	events := int64(0)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-failed:
			return err
		case event, open := <-w.ResultChan():
			switch {
			case !open:
				return r.orVeryShort(nil, start, events)
			case event.Type == watch.Error:
				return apierrors.FromObject(event.Object)
			}
			events++
			r.take(ctx, event)
		}
	}
}

// take gives one event to the store. An error of the store is logged and changes nothing: the store's version moves on,
// since the same event would fail again. The version is read first: a store may change what it is given, and a
// transformer may take the version away.
func (r *Reflector) take(ctx context.Context, event watch.Event) {
	version := versionOf(event)
	if err := r.write(event); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "The store refused a watch event", "reflector", r.options.Name,
			"event", event.Type, "object", event.Object)
	}
	versions := r.options.Parts.Versions
	if !versions.Event(event.Type, version) {
		return
	}
	if s, ok := r.into.(cache.ResourceVersionUpdater); ok {
		s.UpdateResourceVersion(versions.Last())
	}
}

// write makes the store's call for an event.
func (r *Reflector) write(event watch.Event) error {
	switch event.Type {
	case watch.Bookmark:
		if s, ok := r.into.(cache.ReflectorBookmarkStore); ok {
			return s.Bookmark(versionOf(event))
		}
		return nil
	default:
		return apply(event, r.into)
	}
}
