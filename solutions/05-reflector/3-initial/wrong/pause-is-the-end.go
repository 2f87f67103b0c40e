// Misconception: when nothing comes for a while, everything has come.
// Caught by: TestPauses
// Message: the belief that a pause shows that everything has been sent

//go:build wrong

package initial

import (
	"context"
	"time"

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
	last := ""
	for {
		var event watch.Event
		var open bool
		select {
		case <-ctx.Done():
		case event, open = <-w.ResultChan():
		case <-time.After(time.Minute):
			return last, nil // wrong: the server is slow
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
			last = event.Object.(metav1.Object).GetResourceVersion()
			take(event, into)
		}
	}
}
