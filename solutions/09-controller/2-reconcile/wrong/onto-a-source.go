// Breaks: no source stands at the place itself
// Caught by: TestASourceAtThePlace
// Message: Happened: no write, and an error

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func wanted(key Key, reader Reader) *corev1.ConfigMap {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
