// Breaks: Nothing in the objects is changed, not even for a moment: they are those of the cache, and others read them.
// Caught by: TestSeveralAtOneTime
// Message: data race

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

func resync(e event.UpdateEvent) bool {
	before, _ := e.ObjectOld.(*corev1.Pod)
	after, _ := e.ObjectNew.(*corev1.Pod)
	if before == nil || after == nil {
		return false
	}
	fields := before.ManagedFields
	before.ManagedFields = nil // wrong: somebody may read it
	defer func() { before.ManagedFields = fields }()
	return before.ResourceVersion == after.ResourceVersion
}
