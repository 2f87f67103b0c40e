// Misconception: the object of an event belongs to the handler.
// Caught by: TestAllIsAddedAtOnce
// Message: the belief that the object of an event is the handler's

//go:build wrong

package handlers

import corev1 "k8s.io/api/core/v1"

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if object.Annotations != nil {
			object.Annotations["seen"] = "yes"
		}
		if object.Labels[Role] == Source {
			h.source(object.Name)
			return
		}
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}
