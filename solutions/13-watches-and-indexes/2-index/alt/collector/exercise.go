// Package index finds the Deployments that use a Secret. Their controller must run when the Secret changes, and may not
// look through all Deployments each time: it asks an index.
package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Field is the name of the index.
const Field = "scratch.example.com/secrets"

// Secrets returns the names of the Secrets that a Deployment's Pod template uses.
func Secrets(object client.Object) []string {
	var c collector
	if d, ok := object.(*appsv1.Deployment); ok && d != nil {
		c.template(&d.Spec.Template.Spec)
	}
	return c.names
}

// A collector has each name that it has seen once.
type collector struct{ names []string }

func (c *collector) see(name string) {
	if name != "" && !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
}

func (c *collector) template(pod *corev1.PodSpec) {
	for i := range pod.Volumes {
		source := &pod.Volumes[i].VolumeSource
		if source.Secret != nil {
			c.see(source.Secret.SecretName)
		}
		for _, part := range c.parts(source) {
			c.see(part.Name)
		}
	}
	for _, containers := range [][]corev1.Container{pod.Containers, pod.InitContainers} {
		for i := range containers {
			c.container(&containers[i])
		}
	}
	for _, ref := range pod.ImagePullSecrets {
		c.see(ref.Name)
	}
}

// parts are the Secrets of a projected volume.
func (c *collector) parts(source *corev1.VolumeSource) (parts []*corev1.SecretProjection) {
	if source.Projected == nil {
		return nil
	}
	for i := range source.Projected.Sources {
		if part := source.Projected.Sources[i].Secret; part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

func (c *collector) container(of *corev1.Container) {
	for i := range of.EnvFrom {
		if ref := of.EnvFrom[i].SecretRef; ref != nil {
			c.see(ref.Name)
		}
	}
	for i := range of.Env {
		if from := of.Env[i].ValueFrom; from != nil && from.SecretKeyRef != nil {
			c.see(from.SecretKeyRef.Name)
		}
	}
}

// Register has the cache keep the index.
func Register(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, func(o client.Object) []string { return Secrets(o) })
	return errors.Join(err)
}

// Users asks the index.
func Users(cached client.Reader) handler.MapFunc { return finder{cached}.find }

// A finder asks a cache.
type finder struct{ cached client.Reader }

func (f finder) find(ctx context.Context, object client.Object) []reconcile.Request {
	switch o := object.(type) {
	case *corev1.Secret:
		if o != nil {
			return f.ask(ctx, &o.ObjectMeta)
		}
	case *metav1.PartialObjectMetadata:
		if o != nil && o.GroupVersionKind().String() == "/v1, Kind=Secret" {
			return f.ask(ctx, &o.ObjectMeta)
		}
	}
	return []reconcile.Request{}
}

func (f finder) ask(ctx context.Context, secret *metav1.ObjectMeta) []reconcile.Request {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var list appsv1.DeploymentList
	err := f.cached.List(ctx, &list, client.InNamespace(secret.Namespace), client.MatchingFieldsSelector{
		Selector: fields.SelectorFromSet(fields.Set{Field: secret.Name})})
	if err != nil {
		err = fmt.Errorf("the Deployments that use the Secret %s in %s: %w", secret.Name, secret.Namespace, err)
		log.FromContext(ctx).WithName("users").Error(err, "List failed")
		return []reconcile.Request{}
	}
	keys := map[reconcile.Request]bool{}
	for i := range list.Items {
		keys[reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])}] = true
	}
	return slices.Collect(maps.Keys(keys))
}
