// Misconception: a handler should get rid of its caller at once.
// Caught by: TestAllIsAddedAtOnce
// Message: the belief that a handler should get rid of its caller

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { h.concerned(object) },
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: func(object any) { go h.deleted(object) },
	}
}
