package mirror

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// desired is the mirror that should stand in a place, or nil if none should. It depends on what is, and on nothing that
// was: not on what changed, nor on what an earlier run has done.
func desired(place Key, reader Reader) *corev1.ConfigMap {
	sources := reader.Sources(place.Name)
	stands := func(source *corev1.ConfigMap) bool { return keyOf(source) == place }
	if len(sources) == 0 || !reader.Asks(place.Namespace) || slices.ContainsFunc(sources, stands) {
		return nil // where a source stands, no mirror does
	}
	source := first(sources)
	copied := source.DeepCopy() // what is written shares nothing with the cache
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   place.Namespace,
			Name:        place.Name,
			Labels:      map[string]string{Group: source.Labels[Group], Role: Mirror},
			Annotations: map[string]string{Of: keyOf(source).String()},
		},
		Data:       copied.Data,
		BinaryData: copied.BinaryData,
	}
}

// first is the source that wins if several have the same name: the one whose namespace sorts first. Any order will do
// that all runs agree on.
func first(sources []*corev1.ConfigMap) *corev1.ConfigMap {
	return slices.MinFunc(sources, func(a, b *corev1.ConfigMap) int {
		return strings.Compare(a.Namespace, b.Namespace)
	})
}

// repaired is what stands, made into what should stand. Labels and annotations of others stay. It is nil if nothing is
// to be changed: an update that changes nothing would not loop, but it would be a request.
func repaired(standing, wanted *corev1.ConfigMap) *corev1.ConfigMap {
	mended := standing.DeepCopy()
	mended.Data, mended.BinaryData = wanted.Data, wanted.BinaryData
	mended.Labels = merged(mended.Labels, wanted.Labels)
	mended.Annotations = merged(mended.Annotations, wanted.Annotations)
	if equality.Semantic.DeepEqual(standing, mended) { // an empty map and none are the same
		return nil
	}
	return mended
}

func merged(there, wanted map[string]string) map[string]string {
	if there == nil {
		there = map[string]string{}
	}
	maps.Copy(there, wanted)
	return there
}

// frozen says that the API server would refuse to make the one into the other.
func frozen(standing, mended *corev1.ConfigMap) bool {
	return standing.Immutable != nil && *standing.Immutable &&
		!(equality.Semantic.DeepEqual(standing.Data, mended.Data) &&
			equality.Semantic.DeepEqual(standing.BinaryData, mended.BinaryData))
}
