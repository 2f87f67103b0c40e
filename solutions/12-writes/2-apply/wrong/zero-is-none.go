// Misconception: zero replicas are none that are wanted.
// Caught by: TestEmptyIsSaid
// Message: Points to: the belief that zero replicas are not wanted. Zero is a number like any

//go:build wrong

package apply

import (
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
)

// configuration says what is wanted, and nothing else.
func configuration(key Key, want Wanted) *appsv1.DeploymentApplyConfiguration {
	deployment := appsv1.Deployment(key.Name, key.Namespace)
	if want.Image == "" && want.Replicas == nil {
		return deployment
	}
	deployment.WithSpec(appsv1.DeploymentSpec())
	if want.Replicas != nil && *want.Replicas != 0 { // wrong
		deployment.Spec.WithReplicas(*want.Replicas) // a copy: an answer is decoded into it
	}
	if want.Image != "" {
		deployment.WithAnnotations(map[string]string{Revision: want.Revision})
		deployment.Spec.WithTemplate(corev1.PodTemplateSpec().WithSpec(corev1.PodSpec().WithContainers(sidecar(want))))
	}
	return deployment
}
