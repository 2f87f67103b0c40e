// Misconception: what is written otherwise is something else.
// Caught by: TestWhatNoLineShows
// Message: the belief that what is written otherwise is something else

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

type line struct {
	text  string // wrong
	uid   types.UID
	phase corev1.PodPhase
	node  string
	going string // the deletionTimestamp in one time zone, or empty
}

func lineOf(pod *corev1.Pod) line {
	return line{
		text: pod.Labels[App] + "," + pod.Annotations[AlsoIn],
		uid:  pod.UID, phase: pod.Status.Phase, node: pod.Spec.NodeName, going: moment(pod.DeletionTimestamp),
	}
}
