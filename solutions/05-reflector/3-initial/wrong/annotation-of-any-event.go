// Misconception: an annotation of k8s.io is set by the server alone.
// Caught by: TestObjectsWithTheAnnotation
// Message: the belief that only the server sets an annotation

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
		default:
			take(event, into)
			object := event.Object.(metav1.Object)
			if object.GetAnnotations()[EndAnnotation] == "true" { // wrong: an object may have it
				return object.GetResourceVersion(), nil
			}
		}
	}
}
