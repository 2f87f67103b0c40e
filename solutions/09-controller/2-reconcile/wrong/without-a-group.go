// Breaks: Where a mirror should stand and nothing stands, a right one is created, with the source's label Group.
// Caught by: TestCreates
// Message: Happened: Create mirror web/colors of=base/colors red=1 with the label Group ""

//go:build wrong

package reconcile

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	copied := source.DeepCopy()
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   key.Namespace,
			Name:        key.Name,
			Labels:      map[string]string{Role: Mirror},
			Annotations: map[string]string{Of: nameOf(source)},
		},
		Data:       copied.Data,
		BinaryData: copied.BinaryData,
	}
}
