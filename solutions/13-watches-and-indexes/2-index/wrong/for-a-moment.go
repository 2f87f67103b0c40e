// Breaks: Nothing in the object is changed, not even for a moment: it is the cache's, and others read it.
// Caught by: TestSeveralAtOneTime
// Message: Points to: two goroutines use the same variable at the same time, and nothing puts one before the other

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
	containers := pod.Containers
	pod.Containers = append(pod.InitContainers, pod.Containers...) // wrong: somebody may read it now
	defer func() { pod.Containers = containers }()
	for i := range pod.Containers {
		addContainer(names, &pod.Containers[i])
	}
	for _, pull := range pod.ImagePullSecrets {
		names.Insert(pull.Name)
	}
	return names.Delete("").UnsortedList()
}
