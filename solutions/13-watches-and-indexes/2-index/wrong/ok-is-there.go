// Misconception: an assertion that says ok has a value.
// Caught by: TestWhatIsNoDeployment
// Message: Happened: a panic: runtime error: invalid memory address or nil pointer dereference

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Secrets(object client.Object) []string {
	deployment, ok := object.(*appsv1.Deployment)
	if !ok { // wrong: a nil *appsv1.Deployment is one
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
	return names.Delete("").UnsortedList()
}
