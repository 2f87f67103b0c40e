// Misconception: an object stands under one value, as it has one namespace.
// Caught by: TestEachPlace
// Message: Points to: the belief that an object stands under one value. A field has one, and here there are as many as
// the Deployment has Secrets

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	names, pod := sets.New[string](), &deployment.Spec.Template.Spec
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
	all := sets.List(names.Delete(""))
	return all[:min(1, len(all))] // wrong: the others find nothing
}
