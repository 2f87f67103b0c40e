// Misconception: when a namespace is deleted its mirrors are deleted with it.
// Caught by: TestADeletionConcernsWhatWas
// Message: the belief that a namespace takes all with it

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
			if _, namespace := object.(*corev1.Namespace); !namespace {
				h.deleted(object)
			}
		},
	}
}
