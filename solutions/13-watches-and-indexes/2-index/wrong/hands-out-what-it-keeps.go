// Breaks: The slice is the caller's, who may change it and append to it.
// Caught by: TestTheSliceIsTheCallers
// Message: Happened: they were "scribbled", "scribbled", "scribbled"

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
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
	mu.Lock()
	defer mu.Unlock()
	for _, one := range known {
		if slices.Equal(one.was, all) {
			return one.is // wrong: two callers have the same slice
		}
	}
	known = append(known, interned{all, slices.Clone(all)})
	return known[len(known)-1].is
}

type interned struct{ was, is []string }

// known are the slices that there are, so that memory has each once.
var (
	mu    sync.Mutex
	known []interned
)
