// Misconception: a tombstone's object is what was deleted.
// Caught by: TestATombstoneHasAKey
// Message: the belief that a tombstone's object is what was deleted

//go:build wrong

package handlers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func (h handler) deleted(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		if c, ok := tombstone.Obj.(*corev1.ConfigMap); ok && c.Labels[Role] == Source {
			h.add(Key{Namespace: c.Namespace, Name: c.Name}) // so much is certain
		}
		object = tombstone.Obj
	}
	h.concerned(object)
}
