// Breaks: An update whose objects have the same resourceVersion, a resync: those of all in which one of them counts.
// Caught by: TestAResync
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

func resync(e event.UpdateEvent) bool {
	before, _ := e.ObjectOld.(*corev1.Pod)
	after, _ := e.ObjectNew.(*corev1.Pod)
	return before != nil && before == after // wrong: they may be two objects
}
