// Breaks: It waits for nothing, and starts nothing: the cache holds a lock meanwhile.
// Caught by: TestEachPlace
// Message: Points to: the belief that nobody else waits meanwhile. The cache calls Secrets under the lock of the
// informer's store: whoever reads it waits, and so does the next event

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"time"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	time.Sleep(time.Millisecond) // wrong: everybody waits
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
