// Misconception: the Secret has not changed, so its users have not.
// Caught by: TestTheSameSecretAgain
// Message: Points to: the belief that the answer stays what it was. The Secret has not changed, but a Deployment may
// have

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"slices"
	"sync"
)

func Users(cached client.Reader) handler.MapFunc {
	var known sync.Map
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		version := secret.String() + "/" + object.GetResourceVersion()
		if before, ok := known.Load(version); ok {
			return slices.Clone(before.([]reconcile.Request)) // wrong: a Deployment may have changed
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
		known.Store(version, slices.Clone(requests))
		return requests
	}
}
