// Breaks: Those that a volume names: as its secret (the secretName), or in a source of its projected (the secret's
// name).
// Caught by: TestEachPlace
// Message: Happened: they were "b", "c", "d", "e", "f", "g"

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func addVolume(names sets.Set[string], volume *corev1.Volume) {
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}
