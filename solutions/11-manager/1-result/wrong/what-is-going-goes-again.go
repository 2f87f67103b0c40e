// Misconception: to delete what is being deleted does no harm.
// Caught by: TestNothingToDo
// Message: a is looked at: nothing is deleted

//go:build wrong

package result

import corev1 "k8s.io/api/core/v1"

func marked(object *corev1.ConfigMap) bool {
	_, ok := object.Annotations[Until]
	return ok // wrong
}
