// Misconception: who asks for mirrors is known once and for all.
// Caught by: TestNothingIsRemembered
// Message: the belief that those who ask are known once and for all

//go:build wrong

package handlers

import (
	"k8s.io/client-go/tools/cache"
	"sync"
)

type handler struct {
	relations Relations
	add       func(Key)
	known     *sync.Map
}

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add, &sync.Map{}}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}

func (h handler) source(name string) {
	all, ok := h.known.Load(name)
	if !ok {
		all, _ = h.known.LoadOrStore(name, h.relations.Namespaces(name))
	}
	for _, namespace := range all.([]string) {
		h.add(Key{Namespace: namespace, Name: name})
	}
}
