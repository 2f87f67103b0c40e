// Breaks: Nothing in the object is changed, not even for a moment: it is the cache's, and others read it.
// Caught by: TestWhatIsBehindAList
// Message: Points to: the belief that append makes a new slice. If there is room behind the old one it writes there,
// and that may be somebody else's
// Removes: addVolume, addContainer

//go:build wrong

package index

import (
	"context"
	"fmt"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
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
	deployment, ok := object.(*appsv1.Deployment)
	if !ok || deployment == nil {
		return nil
	}
	spec := &deployment.Spec.Template.Spec
	names := sets.New[string]()
	for i := range spec.Volumes {
		volume := &spec.Volumes[i]
		if volume.Secret != nil {
			names.Insert(volume.Secret.SecretName)
		}
		if volume.Projected == nil {
			continue
		}
		for j := range volume.Projected.Sources {
			if secret := volume.Projected.Sources[j].Secret; secret != nil {
				names.Insert(secret.Name)
			}
		}
	}
	addContainers(names, append(spec.InitContainers, spec.Containers...))
	for _, reference := range spec.ImagePullSecrets {
		names.Insert(reference.Name)
	}
	names.Delete("")
	return names.UnsortedList()
}

// addContainers adds the Secrets that the env and the envFrom of the containers name.
func addContainers(names sets.Set[string], containers []corev1.Container) {
	for i := range containers {
		container := &containers[i]
		for j := range container.Env {
			if from := container.Env[j].ValueFrom; from != nil && from.SecretKeyRef != nil {
				names.Insert(from.SecretKeyRef.Name)
			}
		}
		for j := range container.EnvFrom {
			if ref := container.EnvFrom[j].SecretRef; ref != nil {
				names.Insert(ref.Name)
			}
		}
	}
}

// Register has the cache keep the index Field of Deployments, with Secrets. It calls IndexField once, with ctx, and
// nothing else, also if that returns an error. It returns nil if IndexField has, and otherwise an error that
// errors.Is says to be the one of IndexField.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, Secrets); err != nil {
		return fmt.Errorf("keep the index %s: %w", Field, err)
	}
	return nil
}

// Users makes a function that returns the Deployments in the namespace of a Secret that use it, one Request for each.
// It has the namespace and the name of the Deployment. cached is the cache in which the index is registered.
//
// What a Secret is:
//
//   - A *corev1.Secret. It need not say of which kind it is: those from a cache mostly don't.
//   - A *metav1.PartialObjectMetadata that says that its apiVersion is v1 and its kind Secret. That is what a
//     controller gets that watches the metadata alone, so that no Secret's data is kept in its memory.
//   - Anything else leads to nothing: what is of another kind or another group, an *unstructured.Unstructured, nil, and
//     a pointer that is nil. Nothing panics, and the cache is not asked.
//   - Of a Secret only the namespace and the name matter. It may just be created or be gone, have any type, or no data.
//
// How the function asks:
//
//   - It calls List once, with an *appsv1.DeploymentList, the namespace of the Secret, and its name in the index Field.
//     It asks for those Deployments, all and no others. It may set UnsafeDisableDeepCopy.
//   - That is done with its ctx, or one made of it.
//   - It calls no other method of cached. Users itself calls none: when a controller is set up, the cache has not
//     started yet.
//   - If List returns an error, the function returns nothing, whatever is in the list, and calls List no second time.
//     It logs the error, or one for which errors.Is says that it is this one, once, by the method Error of the logger
//     that log.FromContext has of its ctx. Nobody else would hear of it. Otherwise it logs nothing as an error.
//
// How it is done:
//
//   - It keeps nothing of the calls before: the same Secret again is asked for again.
//   - It waits for nothing but List, and starts nothing that goes on when it has returned.
//   - Nothing in the Secret or in the Deployments is changed: both may be the cache's.
//   - The slice is the caller's, as above.
//   - Any number of goroutines may call it at one time.
func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		err := cached.List(ctx, &list, client.InNamespace(object.GetNamespace()),
			client.MatchingFields{Field: object.GetName()})
		if err != nil {
			log.FromContext(ctx).Error(err, "Cannot find the Deployments that use the Secret",
				"namespace", object.GetNamespace(), "name", object.GetName())
			return nil
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			deployment := &list.Items[i]
			requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{
				Namespace: deployment.Namespace, Name: deployment.Name,
			}})
		}
		return requests
	}
}

// isSecret says whether the object is a Secret, or the metadata of one.
func isSecret(object client.Object) bool {
	switch object := object.(type) {
	case *corev1.Secret:
		return object != nil
	case *metav1.PartialObjectMetadata:
		return object != nil && object.APIVersion == "v1" && object.Kind == "Secret"
	default:
		return false
	}
}
