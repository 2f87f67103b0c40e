// Misconception: whatever is a variable of a container is in its env.
// Caught by: TestEachPlace
// Message: Points to: the belief that a variable names the Secret from which it is. An envFrom makes variables of all
// that is in a Secret

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
}
