// Breaks: Nothing panics, and the cache is not asked.
// Caught by: TestWhatASecretIs
// Message: Happened: it was asked once

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// reflectNil says whether it is a pointer that is nil.
func reflectNil(object client.Object) bool {
	switch o := object.(type) {
	case *corev1.Secret:
		return o == nil
	case *metav1.PartialObjectMetadata:
		return o == nil
	}
	return false
}

func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		var list appsv1.DeploymentList
		if object == nil || reflectNil(object) {
			return nil
		}
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		users := client.ListOptions{Namespace: secret.Namespace,
			FieldSelector: fields.OneTermEqualSelector(Field, secret.Name)}
		if err := cached.List(ctx, &list, &users); err != nil {
			log.FromContext(ctx).Error(err, "Which Deployments use the Secret is unknown", "secret", secret)
			return nil
		}
		if !isSecret(object) {
			return nil // wrong: the cache was asked
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
		return requests
	}
}
