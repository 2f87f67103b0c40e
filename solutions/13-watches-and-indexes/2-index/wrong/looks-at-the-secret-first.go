// Misconception: what has happened is looked at before it is told.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that what has happened has to be looked at first. A Secret that is gone is in no
// cache, and its users must run, too; and a Get of a kind that nobody watches starts to watch all of it

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		if err := cached.Get(ctx, secret, &corev1.Secret{}); client.IgnoreNotFound(err) != nil || err != nil {
			return nil // wrong: it may be gone
		}
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
}
