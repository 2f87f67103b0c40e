// Breaks: A mirror should stand at a place if the namespace asks
// Caught by: TestDeletes
// Message: Happened: no write

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func wanted(key Key, reader Reader) *corev1.ConfigMap {
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			return nil
		}
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
