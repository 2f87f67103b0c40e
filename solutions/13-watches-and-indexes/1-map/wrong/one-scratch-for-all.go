// Breaks: Several informers may call it at one time, and an Add may call it, too.
// Caught by: TestSeveralAtOneTime
// Message: data race

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
	count++ // wrong
	for name := range namesOf(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}}] = shown
	}
	return lines
}

var count int
