// Breaks: An empty name is none, in the label and in the list. Any other is one, and is taken as it is: nobody checks
// it.
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
	names := sets.New[string]()
	if strings.TrimSpace(pod.Labels[App]) != "" {
		names.Insert(pod.Labels[App])
	}
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		names.Insert(strings.TrimSpace(name))
	}
	return names.Delete("")
}
