package reflector

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// ReadInitial is this package's Initial. What the collection refuses is logged, and missing from the initial state.
//
// Upstream: handleListWatch, in tools/cache/reflector.go.
func ReadInitial(ctx context.Context, w watch.Interface, into Collection) (version string, err error) {
	defer func() {
		if err != nil {
			w.Stop()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case event, open := <-w.ResultChan():
			switch {
			case !open:
				return "", ErrEndedEarly
			case event.Type == watch.Error:
				return "", apierrors.FromObject(event.Object)
			case endsInitial(event):
				return versionOf(event), nil
			}
			if err := apply(event, into); err != nil {
				utilruntime.HandleErrorWithContext(ctx, err, "Left out of the initial state", "event", event.Type,
					"object", event.Object)
			}
		}
	}
}

// endsInitial knows the bookmark that ends the initial state. There may be others before it.
func endsInitial(event watch.Event) bool {
	if event.Type != watch.Bookmark {
		return false
	}
	object, err := meta.Accessor(event.Object)
	return err == nil && object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
}

// apply makes the call for an event's type. A bookmark is none of an object.
func apply(event watch.Event, into Collection) error {
	switch event.Type {
	case watch.Added:
		return into.Add(event.Object)
	case watch.Modified:
		return into.Update(event.Object)
	case watch.Deleted:
		return into.Delete(event.Object)
	case watch.Bookmark:
		return nil
	}
	return fmt.Errorf("unknown type of watch event: %q", event.Type)
}

// versionOf is the resourceVersion of an event's object.
func versionOf(event watch.Event) string {
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return "" // the reflector passes on no such event
	}
	return object.GetResourceVersion()
}
