// Breaks: Any other is one, and is taken as it is: nobody checks it.
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
		names.Insert(strings.ToLower(strings.TrimSpace(name))) // wrong
	}
	return names.Delete("")
}
