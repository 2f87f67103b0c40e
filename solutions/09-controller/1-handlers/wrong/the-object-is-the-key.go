// Misconception: the object of an event is what is to be made right.
// Caught by: TestWhatAnObjectConcerns
// Message: the belief that the object of an event is what is to be made right

//go:build wrong

package handlers

import corev1 "k8s.io/api/core/v1"

func (h handler) concerned(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		h.add(Key{Namespace: object.Namespace, Name: object.Name})
	case *corev1.Namespace:
		h.namespace(object.Name)
	}
}
