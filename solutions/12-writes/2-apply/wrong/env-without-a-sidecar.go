// Breaks: If a sidecar is wanted: the annotation Revision on the Deployment, with what Wanted has as Revision, and in
// its pod template the Container, with name, image and env.
// Caught by: TestWhatIsNotWantedIsNotSaid
// Message: Happened: in the request .metadata.annotations.sidecar.scratch.example.com/revision is "r2";
// .spec.template.spec.containers[0].env[0].name is "BACKEND"; .spec.template.spec.containers[0].env[0].value is "a";
// and 4 more

//go:build wrong

package apply

import (
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
)

// configuration says what is wanted, and nothing else.
func configuration(key Key, want Wanted) *appsv1.DeploymentApplyConfiguration {
	deployment := appsv1.Deployment(key.Name, key.Namespace)
	if want.Image == "" && want.Replicas == nil && len(want.Env) == 0 {
		return deployment
	}
	deployment.WithSpec(appsv1.DeploymentSpec())
	if want.Replicas != nil {
		deployment.Spec.WithReplicas(*want.Replicas) // a copy: an answer is decoded into it
	}
	if want.Image != "" || len(want.Env) > 0 { // wrong
		deployment.WithAnnotations(map[string]string{Revision: want.Revision})
		deployment.Spec.WithTemplate(corev1.PodTemplateSpec().WithSpec(corev1.PodSpec().WithContainers(sidecar(want))))
	}
	return deployment
}
