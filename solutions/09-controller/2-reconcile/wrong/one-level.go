// Misconception: a copied map has copies of its values.
// Caught by: TestWhatIsWrittenSharesNothing
// Message: the belief that a copied map has copies of its values

//go:build wrong

package reconcile

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   key.Namespace,
			Name:        key.Name,
			Labels:      map[string]string{Group: source.Labels[Group], Role: Mirror},
			Annotations: map[string]string{Of: nameOf(source)},
		},
		Data:       maps.Clone(source.Data),
		BinaryData: maps.Clone(source.BinaryData),
	}
}
