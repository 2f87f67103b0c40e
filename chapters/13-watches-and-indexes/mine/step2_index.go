package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	index "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/2-index"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// index is step 2: Secrets, and the Deployments that use them.
func (r run) index(ctx context.Context, l *lab.Lab) error {
	over, err := user(l)
	if err != nil {
		return err
	}
	for _, d := range deployments(l.Namespace) {
		if err := over.Create(ctx, d); err != nil {
			return err
		}
	}
	m, err := managed(l)
	if err != nil {
		return err
	}
	if err := index.Register(ctx, m.GetFieldIndexer()); err != nil {
		return wrong("13.2", "Register should have the cache keep the index: %v", err)
	}
	log := scenario.NewLog(nil)
	yours := handler.EnqueueRequestsFromMapFunc(index.Users(m.GetClient()))
	err = builder.ControllerManagedBy(m).Named("deployments").
		Watches(&appsv1.Deployment{}, &handler.EnqueueRequestForObject{}).
		WatchesMetadata(&corev1.Secret{}, log.Handler("yours", yours)).
		Complete(reconcile.Func(nothing))
	if err != nil {
		return err
	}
	if err := r.play(ctx, l, m, log, "yours", "13.2", secretWrites(l.Namespace, over)); err != nil {
		return err
	}
	l.Conclude("A Deployment stands under each Secret that it uses, once, and each change of a Secret is one lookup. No Secret's field " +
		"data is in the cache.")
	return nil
}

// deployments use Secrets in different places, and have no replicas: nobody makes Pods of them.
func deployments(namespace string) []*appsv1.Deployment {
	made := func(name string, spec corev1.PodSpec) *appsv1.Deployment {
		labels := map[string]string{"app": name}
		return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Spec: appsv1.DeploymentSpec{Replicas: new(int32), Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}}}
	}
	container := func(from ...corev1.EnvFromSource) []corev1.Container {
		return []corev1.Container{{Name: "it", Image: "none.example.com/it", EnvFrom: from}}
	}
	secret := func(name string) corev1.EnvFromSource {
		return corev1.EnvFromSource{SecretRef: &corev1.SecretEnvSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: name}}}
	}
	volume := corev1.Volume{Name: "tls", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
		SecretName: "tls"}}}
	return []*appsv1.Deployment{
		made("shop", corev1.PodSpec{Containers: container(secret("db"), secret("db"))}),
		made("till", corev1.PodSpec{Containers: container(secret("db")), Volumes: []corev1.Volume{volume}}),
		made("cafe", corev1.PodSpec{Containers: container(), Volumes: []corev1.Volume{volume},
			ImagePullSecrets: []corev1.LocalObjectReference{{Name: "registry"}}}),
	}
}

// secretWrites are what somebody does.
func secretWrites(namespace string, over client.Client) []write {
	made := func(name string) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Data: map[string][]byte{"it": []byte("old")}}
	}
	db, tls, registry, other := made("db"), made("tls"), made("registry"), made("other")
	create := func(o client.Object) func(context.Context) error {
		return func(ctx context.Context) error { return over.Create(ctx, o) }
	}
	return []write{
		{what: "Secret db is created", o: db, do: create(db), keys: "shop, till"},
		{what: "its data changes", o: db, keys: "shop, till", do: func(ctx context.Context) error {
			db.Data["it"] = []byte("new")
			return over.Update(ctx, db)
		}},
		{what: "Secret tls is created", o: tls, do: create(tls), keys: "cafe, till"},
		{what: "Secret registry is created", o: registry, do: create(registry), keys: "cafe"},
		{what: "Secret other, which nobody uses", o: other, do: create(other), keys: "-"},
		{what: "Secret db is deleted", o: db, gone: true, keys: "shop, till",
			do: func(ctx context.Context) error { return over.Delete(ctx, db) }},
	}
}
