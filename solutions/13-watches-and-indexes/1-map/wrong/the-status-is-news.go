// Misconception: what a Pod is stands in its status.
// Caught by: TestWhatNoLineShows
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

type line struct {
	uid   types.UID
	phase string // wrong: also what no line shows
	node  string
	going string // the deletionTimestamp in one time zone, or empty
}

func lineOf(pod *corev1.Pod) line {
	return line{uid: pod.UID, phase: pod.Status.String(), node: pod.Spec.NodeName, going: moment(pod.DeletionTimestamp)}
}
