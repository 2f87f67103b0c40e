// Misconception: a name is that of a Secret wherever it is referred to.
// Caught by: TestNoOtherPlace
// Message: Points to: the belief that a name says what it is the name of. A ConfigMap may have the name of a Secret

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
	if volume.ConfigMap != nil {
		names.Insert(volume.ConfigMap.Name) // wrong: that is a ConfigMap
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.ConfigMap != nil {
				names.Insert(source.ConfigMap.Name) // wrong: that is a ConfigMap
			}
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.ConfigMapKeyRef != nil {
			names.Insert(env.ValueFrom.ConfigMapKeyRef.Name) // wrong: that is a ConfigMap
		}
	}
	for _, from := range container.EnvFrom {
		if from.ConfigMapRef != nil {
			names.Insert(from.ConfigMapRef.Name) // wrong: that is a ConfigMap
		}
		if from.SecretRef != nil {
			names.Insert(from.SecretRef.Name)
		}
	}
}
