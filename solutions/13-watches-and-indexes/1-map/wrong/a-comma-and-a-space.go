// Misconception: a list has one space after each comma.
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
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ", ") { // wrong
		names.Insert(name)
	}
	return names.Delete("")
}
