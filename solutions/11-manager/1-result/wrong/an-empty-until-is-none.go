// Breaks: There is no such ConfigMap, it has no annotation Until, or it has a deletionTimestamp: nothing.
// Caught by: TestNoMoment
// Message: its Until is there and empty

//go:build wrong

package result

import corev1 "k8s.io/api/core/v1"

func marked(object *corev1.ConfigMap) bool {
	return object.Annotations[Until] != "" && object.DeletionTimestamp == nil // wrong
}
