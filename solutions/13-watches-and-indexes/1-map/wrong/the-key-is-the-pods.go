// Misconception: the key is that of the object of the event.
// Caught by: TestCreations
// Message: the belief that the key is that of the object that has changed

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func linesOf(object client.Object) map[reconcile.Request]line {
	pod, _ := object.(*corev1.Pod)
	if pod == nil {
		return nil
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	lines[reconcile.Request{NamespacedName: client.ObjectKeyFromObject(pod)}] = shown // wrong
	return lines
}
