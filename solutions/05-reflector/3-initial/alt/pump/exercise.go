// Package initial reads the initial state of a streaming list: a watch that begins with what is there.
package initial

import (
	"context"
	"errors"

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
	r := &reader{into: into, next: make(chan bool), done: make(chan struct{})}
	reading, stop := context.WithCancel(ctx)
	go r.read(reading, w.ResultChan())
	for !r.over {
		select {
		case r.next <- true: // one event may be taken
		case <-r.done:
			r.over = true
		}
	}
	stop()
	if ctx.Err() != nil && r.version == "" {
		r.err = context.Cause(ctx)
	}
	if r.err != nil {
		w.Stop()
	}
	return r.version, r.err
}

// reader takes events in a goroutine of its own.
type reader struct {
	into    Collection
	next    chan bool
	done    chan struct{} // closed when version or err is there
	over    bool
	version string
	err     error
}

func (r *reader) read(ctx context.Context, events <-chan watch.Event) {
	defer close(r.done)
	for range r.next {
		if ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case event, ok := <-events:
			switch {
			case ctx.Err() != nil:
				return
			case !ok:
				r.err = ErrEndedEarly
				return
			case r.event(event):
				return
			}
		}
	}
}

// event says whether it was the last one.
func (r *reader) event(event watch.Event) bool {
	switch event.Type {
	case watch.Error:
		r.err = apierrors.FromObject(event.Object)
		return true
	case watch.Added:
		_ = r.into.Add(event.Object)
	case watch.Modified:
		_ = r.into.Update(event.Object)
	case watch.Deleted:
		_ = r.into.Delete(event.Object)
	case watch.Bookmark:
		if object := event.Object.(metav1.Object); object.GetAnnotations()[EndAnnotation] == "true" {
			r.version = object.GetResourceVersion()
			return true
		}
	}
	return false
}
