// Breaks: add is called with no other places.
// Caught by: TestWhatAnObjectConcerns
// Message: add source home/menu: it adds east/menu, north/menu, south/menu

//go:build wrong

package handlers

import corev1 "k8s.io/api/core/v1"

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
		if object.Labels[Role] == Source {
			h.source(object.Name)
		}
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}
