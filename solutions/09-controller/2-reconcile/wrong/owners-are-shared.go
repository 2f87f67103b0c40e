// Breaks: A ConfigMap that is written is the Writer's: it shares nothing with those of the Reader
// Caught by: TestWhatIsWrittenSharesNothing
// Message: it shares with them: owners

//go:build wrong

package reconcile

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := new(*mirror), source.DeepCopy()
	m.Labels, m.Annotations = maps.Clone(mirror.Labels), maps.Clone(mirror.Annotations)
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}
