// Misconception: what is optional is not used.
// Caught by: TestEachPlace
// Message: Points to: the belief that what is optional is not used. The Pod starts without the Secret, and uses it as
// soon as there is one

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func ptrTo(b *bool) bool { return b != nil && *b }

func addVolume(names sets.Set[string], volume *corev1.Volume) {
	if volume.Secret != nil && !ptrTo(volume.Secret.Optional) {
		names.Insert(volume.Secret.SecretName)
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil && !ptrTo(source.Secret.Optional) {
				names.Insert(source.Secret.Name)
			}
		}
	}
}

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil && !ptrTo(env.ValueFrom.SecretKeyRef.Optional) {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, from := range container.EnvFrom {
		if from.SecretRef != nil && !ptrTo(from.SecretRef.Optional) {
			names.Insert(from.SecretRef.Name)
		}
	}
}
