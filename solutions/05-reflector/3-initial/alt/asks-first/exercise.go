// Package initial reads the initial state of a streaming list: a watch that begins with what is there.
package initial

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// EndAnnotation has the value "true" on the bookmark that ends the initial state.
const EndAnnotation = metav1.InitialEventsAnnotationKey

// ErrEndedEarly says that a streaming list ended before the bookmark that ends the initial state.
var ErrEndedEarly = errors.New("the streaming list ended before its initial state was complete")

// Collection takes in the initial state. It logs its errors itself.
type Collection interface {
	Add(object any) error
	Update(object any) error
	Delete(object any) error
}

// Read reads the events of a streaming list into a collection, until the bookmark that ends the initial
// state, and returns that bookmark's version: its resourceVersion.
func Read(ctx context.Context, w watch.Interface, into Collection) (version string, err error) {
	version, err = read(ctx, w.ResultChan(), into)
	if err != nil {
		w.Stop()
	}
	return version, err
}

func read(ctx context.Context, events <-chan watch.Event, into Collection) (string, error) {
	takes := map[watch.EventType]func(any) error{
		watch.Added: into.Add, watch.Modified: into.Update, watch.Deleted: into.Delete,
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case event, ok := <-events:
			if ctx.Err() != nil {
				continue
			}
			if !ok {
				return "", fmt.Errorf("after the last event: %w", ErrEndedEarly)
			}
			if event.Type == watch.Error {
				return "", fmt.Errorf("an ERROR event: %w", apierrors.FromObject(event.Object))
			}
			if take, ok := takes[event.Type]; ok {
				_ = take(event.Object)
				continue
			}
			if version, ok := endAt(event); ok {
				return version, nil
			}
		}
	}
	return "", fmt.Errorf("told to stop: %w", context.Cause(ctx))
}

// endAt is the version of the bookmark that is the end.
func endAt(event watch.Event) (version string, ok bool) {
	object, ok := event.Object.(metav1.Object)
	if !ok || event.Type != watch.Bookmark || object.GetAnnotations()[EndAnnotation] != "true" {
		return "", false
	}
	return object.GetResourceVersion(), true
}
