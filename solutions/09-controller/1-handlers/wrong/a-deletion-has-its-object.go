// Misconception: a deletion comes with the object that was deleted.
// Caught by: TestATombstoneHasAKey
// Message: the belief that a deletion always comes with its object
// Removes: handler.deleted

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.concerned,
	}
}
