// Breaks: All else stays as it was read, foreign labels and annotations and the resourceVersion, too.
// Caught by: TestAnUpdateKeepsAllElse
// Message: it has lost or changed its annotation example.com/note

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	m.Annotations = map[string]string{Of: nameOf(source)}
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
