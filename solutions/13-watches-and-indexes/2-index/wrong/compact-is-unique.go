// Misconception: slices.Compact leaves each value once.
// Caught by: TestEachValueOnce
// Message: Happened: they were "a", "a", "a", "b", "b"

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"slices"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	names, pod := &collected{}, &deployment.Spec.Template.Spec
	for i := range pod.Volumes {
		addVolume(names, &pod.Volumes[i])
	}
	for i := range pod.InitContainers {
		addContainer(names, &pod.InitContainers[i])
	}
	for i := range pod.Containers {
		addContainer(names, &pod.Containers[i])
	}
	for _, pull := range pod.ImagePullSecrets {
		names.Insert(pull.Name)
	}
	return slices.Compact(*names) // wrong: it compares neighbours
}

type collected []string

func (c *collected) Insert(name string) {
	if name != "" {
		*c = append(*c, name)
	}
}

func addVolume(names *collected, volume *corev1.Volume) {
	if volume.Secret != nil {
		names.Insert(volume.Secret.SecretName)
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}

func addContainer(names *collected, container *corev1.Container) {
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, from := range container.EnvFrom {
		if from.SecretRef != nil {
			names.Insert(from.SecretRef.Name)
		}
	}
}
