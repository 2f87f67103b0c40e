// Misconception: an assertion that says ok has a value.
// Caught by: TestWhatIsNoPod
// Message: a panic

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func linesOf(object client.Object) map[reconcile.Request]line {
	pod, ok := object.(*corev1.Pod)
	if !ok { // wrong: a nil *corev1.Pod is one
		return nil
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	for name := range namesOf(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}}] = shown
	}
	return lines
}
