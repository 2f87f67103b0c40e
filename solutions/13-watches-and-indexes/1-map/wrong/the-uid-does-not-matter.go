// Breaks: a line shows of its Pod the namespace, the name, the UID, the phase (of the status), the nodeName
// Caught by: TestWhatALineShows
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
)

func lineOf(pod *corev1.Pod) line {
	return line{phase: pod.Status.Phase, node: pod.Spec.NodeName, going: moment(pod.DeletionTimestamp)} // wrong
}
