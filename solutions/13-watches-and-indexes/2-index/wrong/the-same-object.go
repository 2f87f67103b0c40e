// Misconception: an object with the same UID and resourceVersion is the same.
// Caught by: TestNothingIsKept
// Message: Points to: the belief that what was there before has to be known. The cache calls Secrets with what was and
// with what is, and compares

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"slices"
	"sync"
)

func Secrets(object client.Object) []string {
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	version := deployment.UID + "/" + types.UID(deployment.ResourceVersion)
	if known, ok := versions.Load(version); ok {
		return slices.Clone(known.([]string)) // wrong: it decides from what was before
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
	versions.Store(version, slices.Clone(all))
	return all
}

// versions are those that were looked at already.
var versions sync.Map
