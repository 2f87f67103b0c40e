// Breaks: Whatever has changed in a ConfigMap, its note becomes what Value says of it, also if that is empty.
// Caught by: TestOneNoteIsKept
// Message: a gets another entry

//go:build wrong

package two

import corev1 "k8s.io/api/core/v1"

func (k *keeper) right(found *corev1.ConfigMap, _ string) bool {
	_, ok := found.Annotations[k.Annotation]
	return ok // wrong: it may be an old one
}
