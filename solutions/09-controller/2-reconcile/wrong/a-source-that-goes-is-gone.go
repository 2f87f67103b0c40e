// Misconception: a source at the place that is being deleted makes room for a mirror.
// Caught by: TestASourceAtThePlace
// Message: the belief that what is being deleted is gone

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

// wanted returns the source whose mirror should stand at a place, or nil.
func wanted(key Key, reader Reader) *corev1.ConfigMap {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			if source.DeletionTimestamp != nil {
				continue
			}
			return nil
		}
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
