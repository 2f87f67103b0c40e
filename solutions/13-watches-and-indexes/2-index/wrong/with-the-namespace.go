// Misconception: a value has to say the namespace, since names are not unique.
// Caught by: TestEachPlace
// Message: Points to: the belief that a value must say the namespace. The cache adds that of the object to each value,
// and that of the question to what is asked for

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
	all := names.Delete("").UnsortedList()
	for i, name := range all {
		all[i] = deployment.Namespace + "/" + name // wrong: the cache adds it
	}
	return all
}
