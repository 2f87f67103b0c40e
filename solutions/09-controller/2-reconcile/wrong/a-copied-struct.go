// Misconception: a copied struct has copies of what its fields lead to.
// Caught by: TestNothingOfTheReaderIsChanged
// Message: the belief that a copied struct has copies of what its fields lead to

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := new(*mirror), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
