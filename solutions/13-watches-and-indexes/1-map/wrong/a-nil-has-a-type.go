// Breaks: Nor does nil, nor a pointer that is nil, of whatever type.
// Caught by: TestWhatIsNoPod
// Message: Happened: a panic: runtime error: invalid memory address or nil pointer dereference

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// resync reports whether nothing has happened. If one of the two is no Pod, it does not matter.
func resync(e event.UpdateEvent) bool {
	isNil := func(o client.Object) bool {
		pod, ok := o.(*corev1.Pod)
		return o == nil || ok && pod == nil
	}
	return !isNil(e.ObjectOld) && !isNil(e.ObjectNew) &&
		e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion()
}
