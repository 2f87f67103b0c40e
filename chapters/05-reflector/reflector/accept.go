package reflector

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/naming"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// expected is what kind of object a reflector takes.
type expected struct {
	goType      reflect.Type             // nil: any
	kind        *schema.GroupVersionKind // nil: any
	description string
}

// expect takes the kind of object from an example.
func expect(example any) expected {
	if example == nil {
		return expected{description: "<unspecified>"}
	}
	e := expected{goType: reflect.TypeOf(example), description: reflect.TypeOf(example).String()}
	if u, ok := example.(*unstructured.Unstructured); ok && !u.GroupVersionKind().Empty() {
		kind := u.GroupVersionKind()
		e.kind, e.description = &kind, kind.String()
	}
	return e
}

// refuse says why an object is none that the reflector takes, or returns nil.
func (e expected) refuse(object runtime.Object) error {
	if actual := reflect.TypeOf(object); e.goType != nil && e.goType != actual {
		return fmt.Errorf("it is a %v, not a %v", actual, e.goType)
	}
	if e.kind != nil && *e.kind != object.GetObjectKind().GroupVersionKind() {
		return fmt.Errorf("it is a %v, not a %v", object.GetObjectKind().GroupVersionKind(), *e.kind)
	}
	if u, ok := object.(*unstructured.Unstructured); ok && isTable(u.GroupVersionKind()) {
		return fmt.Errorf("it is a table for people, %v", u.GroupVersionKind())
	}
	_, err := meta.Accessor(object)
	return err
}

// refuseList says why a list is none that the reflector takes, or returns nil.
func (e expected) refuseList(list runtime.Object) error {
	u, ok := list.(*unstructured.UnstructuredList)
	if ok && isTable(u.GroupVersionKind()) {
		return fmt.Errorf("unsupported list gvk: %v, type: %v", u.GroupVersionKind(), e.description)
	}
	return nil
}

// isTable knows the answer to a request that accepts tables: rows of cells, which kubectl prints.
func isTable(kind schema.GroupVersionKind) bool {
	return kind == metav1.SchemeGroupVersion.WithKind("Table") ||
		kind == metav1beta1.SchemeGroupVersion.WithKind("Table")
}

// ahead is how many events are read before the reflector wants them. With room for some, two goroutines need not wake
// each other for each event. What was read ahead when a watch ends early is dropped: the next watch begins behind the
// last event that was taken.
const ahead = 16

// accepted is a watch that passes on the events which the reflector takes, and errors.
type accepted struct {
	raw    watch.Interface
	events chan watch.Event
	done   chan struct{}
	stop   sync.Once
	passed atomic.Int64 // events, without errors
}

// accept starts to read a watch. The watch must be stopped.
func (r *Reflector) accept(ctx context.Context, raw watch.Interface) *accepted {
	a := &accepted{raw: raw, events: make(chan watch.Event, ahead), done: make(chan struct{})}
	go func() {
		defer close(a.events)
		for a.pass(ctx, r) {
		}
	}()
	return a
}

// pass passes on one event. It reports whether there may be more.
func (a *accepted) pass(ctx context.Context, r *Reflector) bool {
	var event watch.Event
	var open bool
	select {
	case <-a.done:
		return false
	case event, open = <-a.raw.ResultChan():
	}
	if !open {
		return false
	}
	if event.Type != watch.Error {
		if err := r.expected.refuse(event.Object); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "Skipped a watch event", "reflector", r.options.Name,
				"event", event.Type)
			return true
		}
		a.passed.Add(1)
	}
	a.events <- event // Stop takes what nobody else does
	return true
}

// ResultChan implements watch.Interface.
func (a *accepted) ResultChan() <-chan watch.Event { return a.events }

// Stop implements watch.Interface. It returns when nothing reads the watch any more, and may be called again.
func (a *accepted) Stop() {
	a.stop.Do(func() {
		close(a.done)
		a.raw.Stop()
	})
	for range a.events { // until the reading goroutine has closed it
	}
}

// callSite is the file and line of the first caller outside of this package.
func callSite() string { return naming.GetNameFromCallsite("/05-reflector/reflector/") }
