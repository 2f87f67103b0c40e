// Misconception: managedFields are the server's, and nobody sends them.
// Caught by: TestAnUpdateKeepsAllElse
// Message: it has lost or changed its managedFields

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

// corrected copies a mirror, and makes the copy right.
func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.ManagedFields = nil
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
