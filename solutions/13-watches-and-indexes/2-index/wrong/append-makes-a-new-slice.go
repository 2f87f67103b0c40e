// Breaks: Nothing in the object is changed, not even for a moment: it is the cache's, and others read it.
// Caught by: TestWhatIsBehindAList
// Message: Points to: the belief that append makes a new slice. If there is room behind the old one it writes there,
// and that may be somebody else's

//go:build wrong

package index

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Secrets is what the cache calls to index an object: it returns the values under which the object stands. A Deployment
// stands under each Secret that its Pod template uses.
//
// Which Secrets a Pod template uses:
//
//   - Those that a volume names: as its secret (the secretName), or in a source of its projected (the secret's name).
//     A projected volume may have several sources.
//   - Those that an env of a container names in its valueFrom (the secretKeyRef), and those that an envFrom of a
//     container names (the secretRef). The initContainers are containers, too.
//   - Those that the imagePullSecrets name.
//   - No other place counts: no other kind of volume, no ephemeral container, no annotation, and no ConfigMap.
//   - A Secret counts also where it is optional.
//   - An empty name is none. Any other is one, and is taken as it is: nobody checks it.
//   - Of the Deployment nothing else matters: it may have no replicas, be paused, or be being deleted.
//
// A volume has one source, and so has a source of a projected volume, an env, and an envFrom, or none: the API server
// refuses more. Any pointer and any list in the template may be nil.
//
// What is returned:
//
//   - A value is the name of a Secret, without a namespace: the cache adds that of the Deployment.
//   - Each value is there once, in any order, wherever and however often the template names it.
//   - What is no *appsv1.Deployment stands under nothing, also if it has a Pod template or is of the kind Deployment.
//     Nor does nil, nor an *appsv1.Deployment that is nil. Nothing panics.
//   - The slice is the caller's, who may change it and append to it. Nothing else changes by that.
//
// How it is done:
//
//   - It decides from the object and from nothing else: it keeps nothing of those before, also not of the same one.
//   - It waits for nothing, and starts nothing: the cache holds a lock meanwhile.
//   - Nothing in the object is changed, not even for a moment: it is the cache's, and others read it.
//   - Any number of goroutines may call it at one time.
func Secrets(object client.Object) []string {
	//solution:begin
	//todo: collect the names of the Secrets
	//stub: _, _, _ = appsv1.Deployment{}, corev1.PodSpec{}, sets.New[string]
	//stub: return nil
	deployment, _ := object.(*appsv1.Deployment)
	if deployment == nil {
		return nil
	}
	names, pod := sets.New[string](), &deployment.Spec.Template.Spec
	for i := range pod.Volumes {
		addVolume(names, &pod.Volumes[i])
	}
	all := append(pod.InitContainers, pod.Containers...)
	for i := range all {
		addContainer(names, &all[i])
	}
	for _, pull := range pod.ImagePullSecrets {
		names.Insert(pull.Name)
	}
	return names.Delete("").UnsortedList()
	//solution:end
}
