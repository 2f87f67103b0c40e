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

// watch follows one watch after another, the first of them being open already if there is a stream, until something
// else is due: it returns that decision, and the delay before it.
//
// Upstream: watchWithResync and watch.
func (r *Reflector) watch(ctx context.Context, stream *accepted) (Decision, time.Duration) {
	resync := r.startResync(ctx)
	defer resync.stop()
	internal := cache.NewRetryWithDeadline(r.options.MaxInternalErrorRetryDuration, internalErrorSeries,
		apierrors.IsInternalError, r.options.Clock)
	for ctx.Err() == nil {
		start := r.options.Clock.Now()
		doing, w, err := Watching, stream, error(nil)
		if stream = nil; w == nil {
			doing = Opening
			w, err = r.reopen(ctx)
		}
		if err == nil {
			doing = Watching
			err = r.follow(ctx, w, start, resync.failed)
			internal.After(err)
		}
		if ctx.Err() != nil {
			break
		}
		decision := r.decide(doing, err)
		if doing == Watching && apierrors.IsInternalError(err) && internal.ShouldRetry() {
			decision = Decision{Next: Again}
		}
		delay := r.conclude(ctx, doing, err, decision)
		if decision.Next != Again {
			return decision, delay
		}
		r.sleep(ctx, delay)
	}
	return Decision{}, 0
}

// reopen opens a watch where the last one ended.
func (r *Reflector) reopen(ctx context.Context) (*accepted, error) {
	w, err := r.openWatch(ctx, Opening, metav1.ListOptions{ResourceVersion: r.options.Parts.Versions.Watch()})
	if err == nil {
		r.options.Parts.Versions.Opened()
	}
	return w, err
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
// since the same event would fail again.
func (r *Reflector) take(ctx context.Context, event watch.Event) {
	if err := r.write(event); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "The store refused a watch event", "reflector", r.options.Name,
			"event", event.Type, "object", event.Object)
	}
	versions := r.options.Parts.Versions
	if !versions.Event(event) {
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
