// Breaks: Of several sources, the mirror is that of the one whose namespace sorts first, as strings do.
// Caught by: TestOfSeveralSources
// Message: Happened: Update mirror web/colors of=zoo/colors red=1

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
		if first == nil || len(source.Namespace) < len(first.Namespace) ||
			len(source.Namespace) == len(first.Namespace) && source.Namespace < first.Namespace {
			first = source
		}
	}
	return first
}
