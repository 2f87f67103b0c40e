// Breaks: as a mirror and as a source, or, if the Key has no slash, what a namespace of that name concerns.
// Caught by: TestATombstoneHasAKey
// Message: tombstone north, last seen: namespace north: it adds north/menu, north/rules

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func (h handler) deleted(object any) {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	if !ok {
		h.concerned(object)
		return
	}
	if key, err := cache.ParseObjectName(tombstone.Key); err == nil {
		h.add(key)
		h.source(key.Name)
	}
}
