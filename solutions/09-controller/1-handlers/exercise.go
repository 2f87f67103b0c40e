// Package handlers is what stands between a controller's informers and its queue. The controller mirrors ConfigMaps:
// each source stands again, as a mirror, in every namespace that asks for mirrors.
package handlers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// A Key is a place: the namespace and the name of a ConfigMap that stands there, or should. A run of the controller
// looks at one place, and makes it right.
type Key = cache.ObjectName

// The label of a ConfigMap that says what it is: Source, Mirror, or something else.
const (
	Role   = "mirror.scratch.example.com/role"
	Source = "source"
	Mirror = "mirror"
)

// Relations are answered from the caches, at the moment in which they are asked.
type Relations interface {
	// Namespaces are those that ask for mirrors, and those in which a mirror of that name stands.
	Namespaces(name string) []string
	// Names are those of all sources, and of the mirrors that stand in that namespace.
	Names(namespace string) []string
}

// New makes the handler that is registered with both informers: that of the ConfigMaps, and that of the namespaces. It
// calls add with the places that a change concerns, and a run looks at each of them later.
//
// Which places:
//
//   - A mirror concerns its own place.
//   - A source concerns the place of its name in each of Namespaces of its name. Its own place is not one of them,
//     unless its namespace is.
//   - A ConfigMap that is neither concerns its own place: it may stand where a mirror should.
//   - A namespace, a *corev1.Namespace, concerns the place of each of Names in it.
//   - What is being deleted, and has a deletionTimestamp, concerns the same places.
//   - An object of another type concerns nothing.
//
// When:
//
//   - What is added concerns these places, also when it is of the initial list.
//   - An update concerns what the object was, and what it is.
//   - It concerns them whatever has changed, also if nothing has, as in a resync.
//   - A deletion concerns what the object concerned.
//   - A cache.DeletedFinalStateUnknown, a tombstone, comes in place of an object whose deletion no watch told. Its Obj
//     may be old, or nil: only its Key is certain. It concerns all that a ConfigMap of that name may have concerned,
//     as a mirror and as a source, or, if the Key has no slash, what a namespace of that name concerns.
//
// How:
//
//   - All calls of add have returned when the handler returns. It waits for nothing but add and the Relations.
//   - add is called with no other places. The same place twice is fine.
//   - The handler remembers nothing: what it adds follows from its arguments and from what Relations answer now.
//   - It changes no object, and nothing that Relations return: others get the same ones, at the same time.
//   - Both informers call it, at the same time, and neither call waits for the other. add and the Relations bear that.
func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	//solution:begin
	//todo: which places does each change concern?
	//stub: _ = (*corev1.ConfigMap)(nil)
	//stub: return cache.ResourceEventHandlerFuncs{}
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
	//solution:end
}

//solution:begin

type handler struct {
	relations Relations
	add       func(Key)
}

// concerned adds what an object concerns.
func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if object.Labels[Role] == Source {
			h.source(object.Name)
			return
		}
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}

// deleted is concerned for what is gone, of which a tombstone tells the key alone.
func (h handler) deleted(object any) {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	if !ok {
		h.concerned(object)
		return
	}
	key, err := cache.ParseObjectName(tombstone.Key)
	switch {
	case err != nil:
	case key.Namespace == "":
		h.namespace(key.Name)
	default:
		h.add(key)
		h.source(key.Name)
	}
}

func (h handler) source(name string) {
	for _, namespace := range h.relations.Namespaces(name) {
		h.add(Key{Namespace: namespace, Name: name})
	}
}

func (h handler) namespace(namespace string) {
	for _, name := range h.relations.Names(namespace) {
		h.add(Key{Namespace: namespace, Name: name})
	}
}

//solution:end
