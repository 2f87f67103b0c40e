// Misconception: a conflict is what is to be avoided.
// Caught by: TestAnUpdateKeepsAllElse
// Message: the belief that a conflict is what is to be avoided

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.ResourceVersion = "" // wrong: overwrites what was written since
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
