// Misconception: two pointers to one moment are equal.
// Caught by: TestWhatNoLineShows
// Message: the belief that two pointers are equal
// Removes: moment

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type line struct {
	uid   types.UID
	phase corev1.PodPhase
	node  string
	going *metav1.Time // wrong
}

func lineOf(pod *corev1.Pod) line {
	return line{uid: pod.UID, phase: pod.Status.Phase, node: pod.Spec.NodeName, going: pod.DeletionTimestamp}
}
