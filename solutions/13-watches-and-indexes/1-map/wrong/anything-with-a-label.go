// Breaks: What is no *corev1.Pod counts in none, also if it has the label or is of the kind Pod.
// Caught by: TestWhatIsNoPod
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func linesOf(object client.Object) map[reconcile.Request]line {
	pod, isPod := object.(*corev1.Pod)
	if object == nil || isPod && pod == nil {
		return nil
	}
	if !isPod { // wrong
		pod = &corev1.Pod{}
		pod.Namespace, pod.Labels, pod.Annotations = object.GetNamespace(), object.GetLabels(), object.GetAnnotations()
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	for name := range namesOf(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}}] = shown
	}
	return lines
}
