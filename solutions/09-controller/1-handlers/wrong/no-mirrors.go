// Breaks: A mirror concerns its own place.
// Caught by: TestWhatAnObjectConcerns
// Message: add mirror north/menu: it adds north/menu

//go:build wrong

package handlers

import corev1 "k8s.io/api/core/v1"

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		switch object.Labels[Role] {
		case Source:
			h.source(object.Name)
		case Mirror:
		default:
			h.add(Key{Namespace: object.Namespace, Name: object.Name})
		}
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}
