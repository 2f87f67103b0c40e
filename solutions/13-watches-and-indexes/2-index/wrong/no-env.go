// Breaks: Those that an env of a container names in its valueFrom (the secretKeyRef), and those that an envFrom of a
// container names (the secretRef).
// Caught by: TestEachPlace
// Message: Happened: they were "a", "b", "d", "f", "g"

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, from := range container.EnvFrom {
		if from.SecretRef != nil {
			names.Insert(from.SecretRef.Name)
		}
	}
}
