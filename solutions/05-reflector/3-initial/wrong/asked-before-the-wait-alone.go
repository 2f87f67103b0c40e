// Breaks: When ctx ends, Read returns, and no other object goes to the collection before, whatever is ready to
// be taken from w or just was.
// Caught by: TestContextEndsDuringTheWait
// Message: into.Add was called when ctx had ended

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
		if ctx.Err() != nil {
			version, err = "", context.Cause(ctx)
		}
		if err != nil {
			w.Stop()
		}
	}()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case event, open := <-w.ResultChan():
			if !open {
				return "", ErrEndedEarly
			}
			if event.Type == watch.Error {
				return "", apierrors.FromObject(event.Object)
			}
			take(event, into) // wrong: ctx may have ended during the wait
			if event.Type != watch.Bookmark {
				continue
			}
			if object := event.Object.(metav1.Object); object.GetAnnotations()[EndAnnotation] == "true" {
				return object.GetResourceVersion(), nil
			}
		}
	}
	return "", context.Cause(ctx)
}
