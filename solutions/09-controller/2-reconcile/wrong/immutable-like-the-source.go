// Breaks: It has nothing else of the source: no other label or annotation, no owner, no finalizer, not Immutable.
// Caught by: TestCreatesNothingElseOfTheSource
// Message: it also had the source's Immutable

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
			Labels:      map[string]string{Group: source.Labels[Group], Role: Mirror},
			Annotations: map[string]string{Of: nameOf(source)},
		},
		Immutable:  copied.Immutable,
		Data:       copied.Data,
		BinaryData: copied.BinaryData,
	}
}
