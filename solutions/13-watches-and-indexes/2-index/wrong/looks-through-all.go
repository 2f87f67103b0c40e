// Misconception: what is in memory is quickly looked through.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that it is quick to look through what is in memory. Each change of a Secret would copy
// and look at all those Deployments, to find a few

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
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
		users := client.ListOptions{Namespace: secret.Namespace}
		if err := cached.List(ctx, &list, &users); err != nil {
			log.FromContext(ctx).Error(err, "Which Deployments use the Secret is unknown", "secret", secret)
			return nil
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			if sets.New(Secrets(&list.Items[i])...).Has(secret.Name) {
				key := client.ObjectKeyFromObject(&list.Items[i])
				requests = append(requests, reconcile.Request{NamespacedName: key})
			}
		}
		return requests
	}
}
