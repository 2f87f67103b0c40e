// Misconception: what an informer of ConfigMaps deletes is a ConfigMap.
// Caught by: TestATombstoneHasAKey
// Message: the belief that a deletion always comes with its object
// Removes: handler.deleted

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
			switch object := object.(type) {
			case *corev1.Namespace, *corev1.Pod:
				h.concerned(object)
			default:
				h.concerned(object.(*corev1.ConfigMap))
			}
		},
	}
}
