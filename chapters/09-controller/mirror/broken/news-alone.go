// Guideline: S2-03
// Misconception: A controller acts on what changes. What the first list shows was there before, and is dealt with.
// Caught by: TestSuite/client-go/what happened while nobody looked is made up for
// Message: all has changed between two controllers
// Base: handlers.go

//go:build wrong

package mirror

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func NewHandler(relations Relations, add func(Key)) cache.ResourceEventHandler {
	concerns := concerns{relations, add}
	began := &beginning{add: add}
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, isInInitialList bool) {
			if isInInitialList {
				began.object(object)
				return
			}
			concerns.object(object)
		},
		UpdateFunc: func(before, after any) {
			concerns.object(before)
			concerns.object(after)
		},
		DeleteFunc: concerns.deleted,
	}
}

// beginning is what the first lists show: the sources, and the namespaces that they are to be mirrored in.
type beginning struct {
	add func(Key)

	mu                sync.Mutex // guards what is below: two informers have one handler
	names, namespaces []string
}

func (b *beginning) object(object any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if roleOf(object) != Source {
			return // wrong: a mirror is right only if nothing has happened since it was written
		}
		b.names = append(b.names, object.Name)
	case *corev1.Namespace:
		b.namespaces = append(b.namespaces, object.Name)
	}
	for _, namespace := range b.namespaces {
		for _, name := range b.names {
			b.add(Key{Namespace: namespace, Name: name})
		}
	}
}
