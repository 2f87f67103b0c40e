// Misconception: an empty value need not be said.
// Caught by: TestEmptyIsSaid
// Message: Happened: in the request .spec.template.spec.containers[0].env[1].value is not there

//go:build wrong

package apply

import (
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"maps"
	"slices"
)

func sidecar(want Wanted) *corev1.ContainerApplyConfiguration {
	container := corev1.Container().WithName(Container).WithImage(want.Image)
	for _, name := range slices.Sorted(maps.Keys(want.Env)) {
		variable := corev1.EnvVar().WithName(name)
		if value := want.Env[name]; value != "" { // wrong
			variable.WithValue(value)
		}
		container.WithEnv(variable)
	}
	return container
}
