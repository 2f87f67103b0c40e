// Misconception: what is being deleted changes no more.
// Caught by: TestAnyEvent
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
)

func lineOf(pod *corev1.Pod) line {
	if pod.DeletionTimestamp != nil {
		return line{going: moment(pod.DeletionTimestamp)} // wrong: it comes to its end now
	}
	return line{uid: pod.UID, phase: pod.Status.Phase, node: pod.Spec.NodeName, going: moment(pod.DeletionTimestamp)}
}
