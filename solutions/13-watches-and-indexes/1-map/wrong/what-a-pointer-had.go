// Breaks: It decides from the event and from nothing else: it keeps nothing of the events before.
// Caught by: TestTheSameObjectAgain
// Message: Points to: the belief that a pointer says what it points to. Whoever has the object may change it

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync/atomic"
)

// linesOf has the line of a Pod in each summary that it counts in.
func linesOf(object client.Object) map[reconcile.Request]line {
	pod, _ := object.(*corev1.Pod)
	if pod == nil {
		return nil
	}
	lines, shown := map[reconcile.Request]line{}, lineOf(pod)
	for name := range namesAt(pod) {
		lines[reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}}] = shown
	}
	return lines
}

type read struct {
	pod   *corev1.Pod
	names sets.Set[string]
}

var last atomic.Pointer[read]

// namesAt are the names of the Pod that was read last, if it is that one.
func namesAt(pod *corev1.Pod) sets.Set[string] {
	if known := last.Load(); known != nil && known.pod == pod {
		return known.names
	}
	names := namesOf(pod)
	last.Store(&read{pod, names})
	return names
}
