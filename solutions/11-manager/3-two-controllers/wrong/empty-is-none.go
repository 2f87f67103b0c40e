// Misconception: an annotation that is not there is an empty one.
// Caught by: TestAnEmptyNote
// Message: the belief that an annotation that is not there is an empty one

//go:build wrong

package two

import corev1 "k8s.io/api/core/v1"

func (k *keeper) right(found *corev1.ConfigMap, value string) bool {
	return found.Annotations[k.Annotation] == value // wrong: it may not be there
}
