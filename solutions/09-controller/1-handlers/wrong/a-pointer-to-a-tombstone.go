// Misconception: a tombstone comes as a pointer.
// Caught by: TestATombstoneHasAKey
// Message: the belief that a deletion always comes with its object

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func (h handler) deleted(object any) {
	tombstone, ok := object.(*cache.DeletedFinalStateUnknown)
	if !ok {
		h.concerned(object)
		return
	}
	if key, err := cache.ParseObjectName(tombstone.Key); err == nil {
		h.add(key)
		h.source(key.Name)
	}
}
