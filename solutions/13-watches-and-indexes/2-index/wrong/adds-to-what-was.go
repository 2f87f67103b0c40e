// Misconception: who adds to an index has to know what was in it.
// Caught by: TestNothingIsKept
// Message: Points to: the belief that what was there before has to be known. The cache calls Secrets with what was and
// with what is, and compares

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sync"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	mu.Lock()
	defer mu.Unlock()
	key := client.ObjectKeyFromObject(deployment)
	if before[key] == nil {
		before[key] = sets.New[string]()
	}
	names, pod := before[key], &deployment.Spec.Template.Spec
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

// before are the values of each Deployment.
var (
	mu     sync.Mutex
	before = map[client.ObjectKey]sets.Set[string]{}
)
