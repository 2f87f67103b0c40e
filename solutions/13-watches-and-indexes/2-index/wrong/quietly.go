// Misconception: a map function has no error, so there is none to tell.
// Caught by: TestAnError
// Message: Happened: Error was called 0 times

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		users := client.ListOptions{Namespace: secret.Namespace,
			FieldSelector: fields.OneTermEqualSelector(Field, secret.Name)}
		if err := cached.List(ctx, &list, &users); err != nil {
			return nil // wrong: nobody hears of it
		}
		requests := make([]reconcile.Request, 0, len(list.Items))
		for i := range list.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
		return requests
	}
}
