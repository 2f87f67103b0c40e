// Misconception: a select takes the first case that is ready.
// Caught by: TestContextEnds
// Message: the belief that a select prefers a case

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
			return "", context.Cause(ctx)
		case event, open = <-w.ResultChan():
		}
		switch {
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
			take(event, into)
		}
	}
}
