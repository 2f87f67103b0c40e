// Package index finds the Deployments that use a Secret. Their controller must run when the Secret changes, and may not
// look through all Deployments each time: it asks an index.
package index

import (
	"context"
	"iter"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Field is the name of the index.
const Field = "scratch.example.com/secrets"

// Secrets returns the names of the Secrets that a Deployment's Pod template uses.
func Secrets(object client.Object) []string {
	d, ok := object.(*appsv1.Deployment)
	if !ok || d == nil {
		return nil
	}
	all := slices.Sorted(used(d.Spec.Template.Spec))
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
}

// used yields the names as they stand in the template, also empty ones, and one as often as it is there.
func used(pod corev1.PodSpec) iter.Seq[string] {
	return func(yield func(string) bool) {
		refs := pod.ImagePullSecrets[:len(pod.ImagePullSecrets):len(pod.ImagePullSecrets)]
		for _, v := range pod.Volumes {
			switch {
			case v.Secret != nil:
				refs = append(refs, corev1.LocalObjectReference{Name: v.Secret.SecretName})
			case v.Projected != nil:
				for _, source := range v.Projected.Sources {
					if source.Secret != nil {
						refs = append(refs, source.Secret.LocalObjectReference)
					}
				}
			}
		}
		for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
			for _, one := range c.Env {
				if from := one.ValueFrom; from != nil && from.SecretKeyRef != nil {
					refs = append(refs, from.SecretKeyRef.LocalObjectReference)
				}
			}
			for _, all := range c.EnvFrom {
				if all.SecretRef != nil {
					refs = append(refs, all.SecretRef.LocalObjectReference)
				}
			}
		}
		for _, ref := range refs {
			if !yield(ref.Name) {
				return
			}
		}
	}
}

// Register has the cache keep the index.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	return indexer.IndexField(ctx, new(appsv1.Deployment), Field, Secrets)
}

// Users asks the index.
func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) (requests []reconcile.Request) {
		namespace, name, ok := nameOf(object)
		if !ok {
			return nil
		}
		list := &appsv1.DeploymentList{}
		if err := cached.List(ctx, list, client.UnsafeDisableDeepCopy, client.MatchingFields{Field: name},
			client.InNamespace(namespace)); err != nil {
			log.FromContext(ctx, "namespace", namespace).Error(err, "Nobody hears of the Secret", "name", name)
			return nil
		}
		for _, user := range list.Items {
			key := types.NamespacedName{Namespace: namespace, Name: user.Name}
			requests = append(requests, reconcile.Request{NamespacedName: key})
		}
		return requests
	}
}

// nameOf says where a Secret is and how it is called, and whether it is one.
func nameOf(object client.Object) (namespace, name string, ok bool) {
	if whole, is := object.(*corev1.Secret); is && whole != nil {
		return whole.Namespace, whole.Name, true
	}
	if part, is := object.(*metav1.PartialObjectMetadata); is && part != nil {
		return part.Namespace, part.Name, part.Kind == "Secret" && part.APIVersion == "v1"
	}
	return "", "", false
}
