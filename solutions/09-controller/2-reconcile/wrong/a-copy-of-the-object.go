// Misconception: a mirror is a copy of the whole object.
// Caught by: TestCreatesNothingElseOfTheSource
// Message: the belief that a mirror is a copy of the whole object

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	m := source.DeepCopy()
	m.Namespace = key.Namespace
	m.Labels[Role] = Mirror
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	return m
}
