// Misconception: the objects of an event are the handler's own.
// Caught by: TestWhatNoLineShows
// Message: the objects stay as they are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// resync compares all but what always differs.
func resync(e event.UpdateEvent) bool {
	before, _ := e.ObjectOld.(*corev1.Pod)
	after, _ := e.ObjectNew.(*corev1.Pod)
	if before == nil || after == nil || before.ResourceVersion == after.ResourceVersion {
		return before != nil && after != nil
	}
	before.ManagedFields, after.ManagedFields = nil, nil // wrong: they are those of the cache
	return false
}
