// Misconception: a variable without a value has a source.
// Caught by: TestNoOtherPlace
// Message: Happened: a panic: runtime error: invalid memory address or nil pointer dereference

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, env := range container.Env {
		if env.Value == "" && env.ValueFrom.SecretKeyRef != nil {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, from := range container.EnvFrom {
		if from.SecretRef != nil {
			names.Insert(from.SecretRef.Name)
		}
	}
}
