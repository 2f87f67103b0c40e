// Misconception: a map is gone through in an order that stays.
// Caught by: TestWhatIsWanted
// Message: Points to: the belief that a map is gone through in some order that stays. Each time it is another

//go:build wrong

package apply

import corev1 "k8s.io/client-go/applyconfigurations/core/v1"

func sidecar(want Wanted) *corev1.ContainerApplyConfiguration {
	container := corev1.Container().WithName(Container).WithImage(want.Image)
	for name := range want.Env { // wrong
		container.WithEnv(corev1.EnvVar().WithName(name).WithValue(want.Env[name]))
	}
	return container
}
