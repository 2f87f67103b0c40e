// Misconception: what the initial list has was dealt with before.
// Caught by: TestTheInitialListIsNews
// Message: the belief that what is there at the start has been dealt with

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, isInInitialList bool) {
			if !isInInitialList {
				h.concerned(object)
			}
		},
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}
