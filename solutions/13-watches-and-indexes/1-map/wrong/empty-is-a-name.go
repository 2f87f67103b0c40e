// Breaks: An empty name is none, in the label and in the list.
// Caught by: TestCreations
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func namesOf(pod *corev1.Pod) sets.Set[string] {
	names := sets.New[string]()
	if app, ok := pod.Labels[App]; ok {
		defer names.Insert(app) // wrong
	}
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		names.Insert(strings.TrimSpace(name))
	}
	return names.Delete("")
}
