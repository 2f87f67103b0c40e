// Misconception: a namespace that is being deleted takes its mirrors with it, so there is nothing to do.
// Caught by: TestWhatIsBeingDeleted
// Message: the belief that what is being deleted is as good as gone

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
)

// concerned adds what an object concerns.
func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if object.Labels[Role] == Source {
			h.source(object.Name)
			return
		}
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
	case *corev1.Namespace:
		if object.Status.Phase != corev1.NamespaceTerminating && object.DeletionTimestamp == nil {
			h.namespace(object.Name)
		}
	}
}
