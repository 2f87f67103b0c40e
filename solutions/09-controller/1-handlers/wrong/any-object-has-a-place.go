// Breaks: An object of another type concerns nothing.
// Caught by: TestAnotherTypeConcernsNothing
// Message: add pod north/web: it adds nothing

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
)

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		if object.Labels[Role] == Source {
			h.source(object.Name)
			return
		}
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
	case *corev1.Namespace:
		h.namespace(object.Name)
	case interface {
		GetNamespace() string
		GetName() string
	}:
		h.add(Key{Namespace: object.GetNamespace(), Name: object.GetName()})
	}
}
