// Misconception: an update is about what the object is.
// Caught by: TestAnUpdateConcernsBoth
// Message: the belief that an update is about what the object is

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    h.concerned,
		UpdateFunc: func(_, after any) { h.concerned(after) },
		DeleteFunc: h.deleted,
	}
}
