// Breaks: Its own place is not one of them, unless its namespace is.
// Caught by: TestWhatAnObjectConcerns
// Message: add source north/menu: it adds east/menu, north/menu, south/menu

//go:build wrong

package handlers

import corev1 "k8s.io/api/core/v1"

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if object.Labels[Role] != Source {
			h.add(Key{Namespace: object.Namespace, Name: object.Name})
			return
		}
		for _, namespace := range h.relations.Namespaces(object.Name) {
			if namespace != object.Namespace {
				h.add(Key{Namespace: namespace, Name: object.Name})
			}
		}
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}
