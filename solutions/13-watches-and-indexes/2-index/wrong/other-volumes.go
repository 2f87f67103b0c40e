// Breaks: No other place counts: no other kind of volume, no ephemeral container, no annotation, and no ConfigMap.
// Caught by: TestNoOtherPlace
// Message: Happened: they were "a", "f"

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func addVolume(names sets.Set[string], volume *corev1.Volume) {
	if volume.Secret != nil {
		names.Insert(volume.Secret.SecretName)
	}
	if volume.CSI != nil && volume.CSI.NodePublishSecretRef != nil {
		names.Insert(volume.CSI.NodePublishSecretRef.Name) // wrong: it does not count here
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}
