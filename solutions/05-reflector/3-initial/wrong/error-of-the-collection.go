// Breaks: An error of the collection concerns that object alone. Read goes on.
// Caught by: TestChangesAmongTheInitialEvents
// Message: the collection can't

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
			if err := take(event, into); err != nil {
				return "", err
			}
		}
	}
}

func take(event watch.Event, into Collection) error {
	switch event.Type { // the collection has logged its errors
	case watch.Added:
		return into.Add(event.Object)
	case watch.Modified:
		return into.Update(event.Object)
	case watch.Deleted:
		return into.Delete(event.Object)
	}
	return nil
}
