// Breaks: A mirror that is wrong is updated: what is wrong is made right.
// Caught by: TestUpdates
// Message: assignment to entry in nil map

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
