// Misconception: a map is copied when it is assigned.
// Caught by: TestWhatIsWrittenSharesNothing
// Message: the belief that a map is copied when it is assigned

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m := mirror.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = source.Data, source.BinaryData
	return m
}
