// Misconception: who reads a watch stops it when he is done.
// Caught by: TestReadsUntilTheEnd
// Message: the belief that who has read the initial state is done with the watch

//go:build wrong

package initial

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

func Read(ctx context.Context, w watch.Interface, into Collection) (version string, err error) {
	defer w.Stop() // wrong: the caller goes on with it
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
			take(event, into)
		}
	}
}
