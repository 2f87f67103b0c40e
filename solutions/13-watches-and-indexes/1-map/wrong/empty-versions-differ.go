// Misconception: two empty resourceVersions are no resync, since somebody has removed them.
// Caught by: TestAResync
// Message: the belief that two empty resourceVersions tell of a change

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

func resync(e event.UpdateEvent) bool {
	before, _ := e.ObjectOld.(*corev1.Pod)
	after, _ := e.ObjectNew.(*corev1.Pod)
	return before != nil && after != nil && before.ResourceVersion != "" &&
		before.ResourceVersion == after.ResourceVersion
}
