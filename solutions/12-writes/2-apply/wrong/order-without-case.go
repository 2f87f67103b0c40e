// Breaks: The variables stand in the order of their names, as slices.Sort has it.
// Caught by: TestWhatIsWanted
// Message: Happened: in the request .spec.template.spec.containers[0].env[0].name is "_";
// .spec.template.spec.containers[0].env[0].value is "7";

//go:build wrong

package apply

import (
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"maps"
	"slices"
	"strings"
)

func sidecar(want Wanted) *corev1.ContainerApplyConfiguration {
	container := corev1.Container().WithName(Container).WithImage(want.Image)
	for _, name := range slices.SortedFunc(maps.Keys(want.Env), func(a, b string) int { // wrong
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}) {
		container.WithEnv(corev1.EnvVar().WithName(name).WithValue(want.Env[name]))
	}
	return container
}
