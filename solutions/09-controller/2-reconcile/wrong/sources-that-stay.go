// Breaks: A source with a deletionTimestamp is one until it is gone.
// Caught by: TestOfSeveralSources
// Message: Happened: Create mirror web/colors of=shop/colors red=1

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

func wanted(key Key, reader Reader) *corev1.ConfigMap {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			return nil
		}
		if source.DeletionTimestamp != nil {
			continue
		}
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
