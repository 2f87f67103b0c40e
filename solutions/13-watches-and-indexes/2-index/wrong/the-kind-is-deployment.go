// Breaks: What is no *appsv1.Deployment stands under nothing, also if it has a Pod template or is of the kind
// Deployment.
// Caught by: TestWhatIsNoDeployment
// Message: Happened: they were "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"

//go:build wrong

package index

import (
	"encoding/json"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if loose, ok := object.(json.Marshaler); ok && object.GetObjectKind().GroupVersionKind().Kind == "Deployment" {
		deployment = &appsv1.Deployment{} // wrong: it is none
		if data, err := loose.MarshalJSON(); err == nil {
			_ = json.Unmarshal(data, deployment)
		}
	}
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
	return names.Delete("").UnsortedList()
}
