// Misconception: the name of an application is its key.
// Caught by: TestCreations
// Message: the belief that a name is enough for a key

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func linesOf(object client.Object) map[reconcile.Request]line {
	pod, _ := object.(*corev1.Pod)
	if pod == nil {
		return nil
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	for name := range namesOf(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}] = shown // wrong
	}
	return lines
}
