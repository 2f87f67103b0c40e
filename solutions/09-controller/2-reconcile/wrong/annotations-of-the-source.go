// Breaks: It has nothing else of the source: no other label or annotation, no owner, no finalizer, not Immutable.
// Caught by: TestCreatesNothingElseOfTheSource
// Message: it also had the source's annotation kubectl.kubernetes.io/last-applied-configuration

//go:build wrong

package reconcile

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	copied := source.DeepCopy()
	m := &corev1.ConfigMap{Data: copied.Data, BinaryData: copied.BinaryData}
	m.Namespace, m.Name = key.Namespace, key.Name
	m.Labels = map[string]string{Group: source.Labels[Group], Role: Mirror}
	m.Annotations = map[string]string{}
	maps.Copy(m.Annotations, source.Annotations)
	m.Annotations[Of] = nameOf(source)
	return m
}
