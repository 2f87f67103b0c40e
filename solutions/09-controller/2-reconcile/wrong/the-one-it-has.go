// Breaks: Of several sources, the mirror is that of the one whose namespace sorts first, as strings do.
// Caught by: TestOfSeveralSources
// Message: Happened: no write

//go:build wrong

package reconcile

import corev1 "k8s.io/api/core/v1"

// wanted stays with the source that the mirror has.
func wanted(key Key, reader Reader) *corev1.ConfigMap {
	if !reader.Asks(key.Namespace) {
		return nil
	}
	there, found := reader.Get(key)
	var first *corev1.ConfigMap
	for _, source := range reader.Sources(key.Name) {
		if source.Namespace == key.Namespace {
			return nil
		}
		if found && there.Annotations[Of] == nameOf(source) {
			return source
		}
		if first == nil || source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
