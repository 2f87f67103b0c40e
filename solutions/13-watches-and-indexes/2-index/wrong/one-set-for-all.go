// Breaks: Any number of goroutines may call it at one time.
// Caught by: TestSeveralAtOneTime
// Message: a data race between

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
	names, pod := set.Delete(set.UnsortedList()...), &deployment.Spec.Template.Spec // wrong
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

// set is empty when Secrets is called.
var set = sets.New[string]()
