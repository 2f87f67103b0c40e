// Package recreated makes lives of what an informer tells a handler. To an informer an object is its key: where one
// was deleted and another was made under the same key, it may tell of an update.
package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/types" // a UID is a types.UID
	"k8s.io/client-go/tools/cache"
)

// Lives is told of lives. A life is that of one object under one key, and the UID says which object it is. It begins
// when the handler first hears of it, and ends when it is gone for this informer: an object with a deletionTimestamp
// is still there. The key is what cache.MetaNamespaceKeyFunc returns.
//
// All three functions are there. None of them calls the handler.
type Lives struct {
	// Born begins a life, and brings its first state.
	Born func(obj metav1.Object)
	// Changed brings another state of a life. old is the state that was told before it.
	Changed func(old, now metav1.Object)
	// Died ends a life. If final, last is the object as it was deleted. Otherwise nobody knows its final state, and
	// last is the state that was told last.
	Died func(last metav1.Object, final bool)
}

// New returns a handler that tells l of lives. OnUpdate compares what it is given; what is remembered is for the other
// two.
func New(l Lives) cache.ResourceEventHandler {
	told := map[string]metav1.Object{} // by key
	changed := func(old, now metav1.Object) {
		told[key(now)] = now
		switch {
		case old.GetUID() != now.GetUID():
			l.Died(old, false)
			l.Born(now)
		case old.GetResourceVersion() == "", old.GetResourceVersion() != now.GetResourceVersion():
			l.Changed(old, now)
		}
	}
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, _ bool) {
			now, ok := obj.(metav1.Object)
			if !ok {
				return
			}
			if old, ok := told[key(now)]; ok {
				changed(old, now)
				return
			}
			told[key(now)] = now
			l.Born(now)
		},
		UpdateFunc: func(oldObj, newObj any) {
			old, ok := oldObj.(metav1.Object)
			now, also := newObj.(metav1.Object)
			if ok && also {
				changed(old, now)
			}
		},
		DeleteFunc: func(obj any) {
			if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				if last, ok := told[tombstone.Key]; ok {
					delete(told, tombstone.Key)
					l.Died(last, false)
				}
				return
			}
			deleted, ok := obj.(metav1.Object)
			if !ok {
				return
			}
			last, ok := told[key(deleted)]
			if !ok {
				return
			}
			delete(told, key(deleted))
			if last.GetUID() == deleted.GetUID() {
				l.Died(deleted, true)
			} else {
				l.Died(last, false)
			}
		},
	}
}

func key(obj metav1.Object) string {
	key, _ := cache.MetaNamespaceKeyFunc(obj)
	return key
}
