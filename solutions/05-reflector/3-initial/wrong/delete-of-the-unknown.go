// Breaks: The object of an ADDED event goes to into.Add, that of a MODIFIED one to into.Update, that of a DELETED one
// to into.Delete: the object itself, once, and before the next event is taken from w.
// Caught by: TestScripts
// Message: The calls of the collection are

//go:build wrong

package initial

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

func Read(ctx context.Context, w watch.Interface, into Collection) (version string, err error) {
	defer func() {
		if err != nil {
			w.Stop()
		}
	}()
	known := map[string]bool{}
	for {
		var event watch.Event
		var open bool
		select {
		case <-ctx.Done():
		case event, open = <-w.ResultChan():
		}
		switch {
		case ctx.Err() != nil: // a select takes either case when both are ready
			return "", context.Cause(ctx)
		case !open:
			return "", ErrEndedEarly
		case event.Type == watch.Error:
			return "", apierrors.FromObject(event.Object)
		case event.Type == watch.Bookmark:
			object := event.Object.(metav1.Object)
			if object.GetAnnotations()[EndAnnotation] == "true" {
				return object.GetResourceVersion(), nil
			}
		default:
			name := event.Object.(metav1.Object).GetName()
			if event.Type == watch.Deleted && !known[name] {
				continue // wrong: that is for the collection to know
			}
			known[name] = true
			take(event, into)
		}
	}
}
