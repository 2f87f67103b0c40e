// Breaks: It calls no other method of cached.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that what has happened has to be looked at first. A Secret that is gone is in no
// cache, and its users must run, too; and a Get of a kind that nobody watches starts to watch all of it
// Removes: addVolume, addContainer, isSecret

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

// Secrets returns the names of the Secrets that the Pod template of a Deployment uses.
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
		if volume.Projected != nil {
			for j := range volume.Projected.Sources {
				if secret := volume.Projected.Sources[j].Secret; secret != nil {
					names.Insert(secret.Name)
				}
			}
		}
	}
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			ofContainer(&containers[i], names)
		}
	}
	for _, pull := range spec.ImagePullSecrets {
		names.Insert(pull.Name)
	}
	names.Delete("")
	return names.UnsortedList()
}

func ofContainer(container *corev1.Container, names sets.Set[string]) {
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

// Register has the cache keep the index.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, Secrets); err != nil {
		return fmt.Errorf("index %s: %w", Field, err)
	}
	return nil
}

// keyOf returns the key of what is a Secret.
func keyOf(object client.Object) (types.NamespacedName, bool) {
	switch secret := object.(type) {
	case *corev1.Secret:
		if secret != nil {
			return client.ObjectKeyFromObject(secret), true
		}
	case *metav1.PartialObjectMetadata:
		if secret != nil && secret.APIVersion == "v1" && secret.Kind == "Secret" {
			return client.ObjectKeyFromObject(secret), true
		}
	}
	return types.NamespacedName{}, false
}

// Users returns the function that maps a Secret to the Deployments that use it.
func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		key, ok := keyOf(object)
		if !ok {
			return nil
		}
		// List fails before the cache has started, so wait for it, if it is a cache.
		if syncer, ok := cached.(interface {
			WaitForCacheSync(ctx context.Context) bool
		}); ok && !syncer.WaitForCacheSync(ctx) {
			log.FromContext(ctx).Info("the cache has not started", "secret", key)
			return nil
		}
		var list appsv1.DeploymentList
		if err := cached.List(ctx, &list, client.InNamespace(key.Namespace),
			client.MatchingFields{Field: key.Name}, client.UnsafeDisableDeepCopy); err != nil {
			log.FromContext(ctx).Error(err, "cannot list the Deployments that use a Secret", "secret", key)
			return nil
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
		return requests
	}
}
