// Breaks: During one, Read waits for what comes, and wakes for nothing else.
// Caught by: TestPauses
// Message: it looked at ctx or at the watch when nothing had come

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
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		var event watch.Event
		var open bool
		select {
		case <-ctx.Done():
		case event, open = <-w.ResultChan():
		case <-ticker.C: // wrong: it wakes for nothing
			continue
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
