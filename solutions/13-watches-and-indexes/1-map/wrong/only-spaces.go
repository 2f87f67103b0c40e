// Breaks: White space around a name in the list, as strings.TrimSpace has it, is not part of the name.
// Caught by: TestTheList
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func namesOf(pod *corev1.Pod) sets.Set[string] {
	names := sets.New(pod.Labels[App])
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		names.Insert(strings.Trim(name, " ")) // wrong
	}
	return names.Delete("")
}
