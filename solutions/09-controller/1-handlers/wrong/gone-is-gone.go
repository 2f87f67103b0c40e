// Misconception: about an object that is gone there is nothing to do.
// Caught by: TestADeletionConcernsWhatWas
// Message: the belief that there is nothing to do about an object that is gone

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
			if c, ok := object.(*corev1.ConfigMap); !ok || c.Labels[Role] == Source {
				h.deleted(object)
			}
		},
	}
}
