// Misconception: events may be fetched before they are needed.
// Caught by: TestReadsUntilTheEnd
// Message: the belief that what follows the end is nobody's

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
	over, events := make(chan struct{}), make(chan watch.Event)
	defer close(over)
	go func() { // wrong: it has one event in its hand when Read returns
		defer close(events)
		for event := range w.ResultChan() {
			select {
			case events <- event:
			case <-over:
				return
			}
		}
	}()
	for {
		var event watch.Event
		var open bool
		select {
		case <-ctx.Done():
		case event, open = <-events:
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
