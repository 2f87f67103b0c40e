package mirror

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// NewHandler makes the handler of both informers. It adds the places that a change concerns, and does nothing else: it
// compares nothing, reads no object's content and waits for nobody. Whether there is something to do is the run's
// question.
//
// The two informers run side by side, and nothing says which is told first that something is new. That does no harm:
// an object is in its store before the handler is called, so that whoever is told later finds it there.
func NewHandler(relations Relations, add func(Key)) cache.ResourceEventHandler {
	concerns := concerns{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: concerns.object,
		UpdateFunc: func(before, after any) {
			concerns.object(before) // what it was may have had a mirror that what it is has not
			concerns.object(after)
		},
		DeleteFunc: concerns.deleted,
	}
}

type concerns struct {
	relations Relations
	add       func(Key)
}

func (c concerns) object(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		c.add(keyOf(object)) // a mirror, or what stands where one should
		if roleOf(object) == Source {
			c.source(object.Name)
		}
	case *corev1.Namespace:
		c.namespace(object.Name)
	}
}

// deleted is told what was deleted, or a tombstone, if the watch was broken when it happened. The object in a tombstone
// is as it was last seen: it may have become a source since. The name is what is certain.
func (c concerns) deleted(object any) {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	if !ok {
		c.object(object)
		return
	}
	key, err := cache.ParseObjectName(tombstone.Key)
	switch {
	case err != nil: // no key that an informer makes
	case key.Namespace == "":
		c.namespace(key.Name)
	default:
		c.add(key)
		c.source(key.Name)
	}
}

func (c concerns) source(name string) {
	for _, namespace := range c.relations.Namespaces(name) {
		c.add(Key{Namespace: namespace, Name: name})
	}
}

func (c concerns) namespace(namespace string) {
	for _, name := range c.relations.Names(namespace) {
		c.add(Key{Namespace: namespace, Name: name})
	}
}
