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
//
//   - The end is an event of the type BOOKMARK whose object has EndAnnotation with the value "true". No
//     other event is: no other bookmark, and no object, whatever annotations somebody gave it.
//   - A pause is no end, however long it is. During one, Read waits for what comes, and wakes for nothing
//     else.
//   - The object of an ADDED event goes to into.Add, that of a MODIFIED one to into.Update, that of a
//     DELETED one to into.Delete: the object itself, once, and before the next event is taken from w.
//     No other event's object goes there.
//   - An error of the collection concerns that object alone. Read goes on.
//   - After the end, w is open, and its next event is the first after that bookmark, for the caller.
//   - When an ERROR event comes, the error is what apierrors.FromObject makes of its object, or wraps it.
//   - When the channel is closed before the end, the error is ErrEndedEarly, or wraps it.
//   - When ctx ends, Read returns, and no other object goes to the collection before, whatever is ready to
//     be taken from w or just was. The error is context.Cause(ctx), or wraps it, also if the watch has ended
//     as well, and if the bookmark that is the end, or an ERROR event, is ready.
//   - When Read returns an error, whichever it is, it has called w.Stop; several calls do no harm.
//   - Stop is enough: w may close its channel long after that, or never, and Read does not wait for it.
//   - When Read returns, whatever it started has ended, and takes nothing from w.
//
// The object of each event but ERROR is a metav1.Object.
func Read(ctx context.Context, w watch.Interface, into Collection) (version string, err error) {
	//solution:begin
	//todo: which bookmark is the end, what else may end it, and what becomes of the watch?
	//stub: for event := range w.ResultChan() {
	//stub: 	if event.Type == watch.Error {
	//stub: 		return "", apierrors.FromObject(event.Object)
	//stub: 	}
	//stub: }
	//stub: return "", ErrEndedEarly
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
			take(event, into)
		}
	}
	//solution:end
}

//solution:begin

// take passes an object on.
func take(event watch.Event, into Collection) {
	switch event.Type { // the collection has logged its errors
	case watch.Added:
		_ = into.Add(event.Object)
	case watch.Modified:
		_ = into.Update(event.Object)
	case watch.Deleted:
		_ = into.Delete(event.Object)
	}
}

//solution:end
