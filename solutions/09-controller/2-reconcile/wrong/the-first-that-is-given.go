// Misconception: the order of a cache says something.
// Caught by: TestOfSeveralSources
// Message: the belief that the order of a cache says something

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func wanted(key Key, reader Reader) *corev1.ConfigMap {
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			return nil
		}
		if first == nil {
			first = source
		}
	}
	if !reader.Asks(key.Namespace) {
		return nil
	}
	return first
}
