// Package index finds the Deployments that use a Secret. Their controller must run when the Secret changes, and may not
// look through all Deployments each time: it asks an index.
package index

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Field is the name of the index.
const Field = "scratch.example.com/secrets"

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
	//solution:end
}

//solution:begin

func addVolume(names sets.Set[string], volume *corev1.Volume) {
	if volume.Secret != nil {
		names.Insert(volume.Secret.SecretName)
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil {
				names.Insert(source.Secret.Name)
			}
		}
	}
}

func addContainer(names sets.Set[string], container *corev1.Container) {
	for _, env := range container.Env {
		if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil {
			names.Insert(env.ValueFrom.SecretKeyRef.Name)
		}
	}
	for _, from := range container.EnvFrom {
		if from.SecretRef != nil {
			names.Insert(from.SecretRef.Name)
		}
	}
}

//solution:end

// Register has the cache keep the index Field of Deployments, with Secrets. It calls IndexField once, with ctx, and
// nothing else, also if that returns an error. It returns nil if IndexField has, and otherwise an error that
// errors.Is says to be the one of IndexField.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	//solution:begin
	//todo: have the cache keep the index
	//stub: _, _ = ctx, indexer
	//stub: return fmt.Errorf("nobody keeps the index %s yet", Field)
	if err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, Secrets); err != nil {
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return nil
	//solution:end
}

// Users makes a function that returns the Deployments in the namespace of a Secret that use it, one Request for each.
// It has the namespace and the name of the Deployment. cached is the cache in which the index is registered.
//
// What a Secret is:
//
//   - A *corev1.Secret. It need not say of which kind it is: those from a cache mostly don't.
//   - A *metav1.PartialObjectMetadata that says that its apiVersion is v1 and its kind Secret. That is what a
//     controller gets that watches the metadata alone, so that no Secret's data is kept in its memory.
//   - Anything else leads to nothing: what is of another kind, group or version, an *unstructured.Unstructured, nil,
//     and a pointer that is nil. Nothing panics, and the cache is not asked.
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
	//solution:begin
	//todo: ask the index
	//stub: _ = cached
	//stub: _, _, _ = metav1.PartialObjectMetadata{}, fields.OneTermEqualSelector, types.NamespacedName{}
	//stub: _, _ = log.FromContext, reconcile.Request{}
	//stub: return func(context.Context, client.Object) []reconcile.Request { return nil }
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		users := client.ListOptions{Namespace: secret.Namespace,
			FieldSelector: fields.OneTermEqualSelector(Field, secret.Name)}
		if err := cached.List(ctx, &list, &users); err != nil {
			log.FromContext(ctx).Error(err, "Which Deployments use the Secret is unknown", "secret", secret)
			return nil
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
		return requests
	}
	//solution:end
}

//solution:begin

// isSecret says whether an object is one, whole or its metadata alone.
func isSecret(object client.Object) bool {
	switch o := object.(type) {
	case *corev1.Secret:
		return o != nil
	case *metav1.PartialObjectMetadata:
		return o != nil && o.GroupVersionKind() == corev1.SchemeGroupVersion.WithKind("Secret")
	}
	return false
}

//solution:end
