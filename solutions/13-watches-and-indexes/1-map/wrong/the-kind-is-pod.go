// Misconception: an object of the kind Pod is a Pod.
// Caught by: TestWhatIsNoPod
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func linesOf(object client.Object) map[reconcile.Request]line {
	pod, isPod := object.(*corev1.Pod)
	if meta, ok := object.(*metav1.PartialObjectMetadata); ok && meta != nil && meta.Kind == "Pod" {
		pod, isPod = &corev1.Pod{ObjectMeta: meta.ObjectMeta}, true // wrong: nobody knows its phase
	}
	if !isPod || pod == nil {
		return nil
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	for name := range namesOf(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}}] = shown
	}
	return lines
}
