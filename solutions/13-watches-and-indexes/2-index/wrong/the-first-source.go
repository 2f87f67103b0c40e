// Breaks: A projected volume may have several sources.
// Caught by: TestEachPlace
// Message: Happened: they were "a", "d"

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
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources[:min(1, len(volume.Projected.Sources))] { // wrong
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}
