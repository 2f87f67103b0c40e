// Misconception: an object leads to one key.
// Caught by: TestCreations
// Message: the belief that an object leads to one key

//go:build wrong

package mapping

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func namesOf(pod *corev1.Pod) sets.Set[string] {
	if app := pod.Labels[App]; app != "" {
		return sets.New(app) // wrong: it may count in more
	}
	return nil
}
