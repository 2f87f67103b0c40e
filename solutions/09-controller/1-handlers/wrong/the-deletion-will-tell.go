// Misconception: an update that sets the deletionTimestamp need not be heard: a deletion follows.
// Caught by: TestWhatIsBeingDeleted
// Message: the belief that what is being deleted is as good as gone

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
			if c, ok := after.(*corev1.ConfigMap); ok && c.DeletionTimestamp != nil {
				return
			}
			h.concerned(before)
			h.concerned(after)
		},
		DeleteFunc: h.deleted,
	}
}
