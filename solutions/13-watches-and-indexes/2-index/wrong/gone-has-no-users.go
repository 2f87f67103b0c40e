// Misconception: nobody can use what is being deleted.
// Caught by: TestWhatOfASecretDoesNotMatter
// Message: Happened: it was not

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
)

func Users(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		if object.GetDeletionTimestamp() != nil {
			return nil // wrong: its users have to do without it
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
