// Misconception: a volume has one Secret in it.
// Caught by: TestEachPlace
// Message: Points to: the belief that a volume has one Secret in it. A projected one has sources, each of which may be
// one

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
}
