// Breaks: White space around a name in the list, as strings.TrimSpace has it, is not part of the name. Within a name it
// is.
// Caught by: TestTheLabelIsNoList
// Message: Happened: they were none

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"strings"
)

func namesOf(pod *corev1.Pod) sets.Set[string] {
	names := sets.New(strings.TrimSpace(pod.Labels[App]))
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		names.Insert(strings.TrimSpace(name))
	}
	return names.Delete("")
}
