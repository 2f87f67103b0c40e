// Misconception: a pointer that is copied leads to something else.
// Caught by: TestWhatIsWrittenSharesNothing
// Message: it shares with them: Immutable

//go:build wrong

package reconcile

import (
	corev1 "k8s.io/api/core/v1"
)

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	m.Immutable = mirror.Immutable // wrong
	return m
}
