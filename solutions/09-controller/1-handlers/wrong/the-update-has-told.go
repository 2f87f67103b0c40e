// Misconception: a deletion of what had a deletionTimestamp is old news: the update that set it has told.
// Caught by: TestWhatIsBeingDeleted
// Message: delete source home/menu going: it adds

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func New(relations Relations, add func(Key)) cache.ResourceEventHandler {
	h := handler{relations, add}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: h.concerned,
		UpdateFunc: func(before, after any) {
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: func(object any) {
			if c, ok := object.(*corev1.ConfigMap); ok && c.DeletionTimestamp != nil {
				return
			}
			h.deleted(object)
		},
	}
}
