// Misconception: the caller has read what it was given before it calls again.
// Caught by: TestTheSliceIsTheCallers
// Message: Points to: the belief that a slice that is returned is read at once. The caller may keep it, and change it

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
	scratch = append(scratch[:0], names.Delete("").UnsortedList()...)
	return scratch // wrong: the next call writes over it
}

// scratch saves an allocation.
var scratch []string
