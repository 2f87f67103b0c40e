// Breaks: It calls no other method of cached.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that what has happened has to be looked at first. A Secret that is gone is in no
// cache, and its users must run, too; and a Get of a kind that nobody watches starts to watch all of it

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

// Users makes a function that returns the Deployments in the namespace of a Secret that use it, one Request for each.
// It has the namespace and the name of the Deployment. cached is the cache in which the index is registered.
//
// What a Secret is:
//
//   - A *corev1.Secret. It need not say of which kind it is: those from a cache mostly don't.
//   - A *metav1.PartialObjectMetadata that says that its apiVersion is v1 and its kind Secret. That is what a
//     controller gets that watches the metadata alone, so that no Secret's data is kept in its memory.
//   - Anything else leads to nothing: what is of another kind, group or version, an *unstructured.Unstructured, nil,
//     and a pointer that is nil. Nothing panics, and the cache is not asked.
//   - Of a Secret only the namespace and the name matter. It may just be created or be gone, have any type, or no data.
//
// How the function asks:
//
//   - It calls List once, with an *appsv1.DeploymentList, the namespace of the Secret, and its name in the index Field.
//     It asks for those Deployments, all and no others. It may set UnsafeDisableDeepCopy.
//   - That is done with its ctx, or one made of it.
//   - It calls no other method of cached. Users itself calls none: when a controller is set up, the cache has not
//     started yet.
//   - If List returns an error, the function returns nothing, whatever is in the list, and calls List no second time.
//     It logs the error, or one for which errors.Is says that it is this one, once, by the method Error of the logger
//     that log.FromContext has of its ctx. Nobody else would hear of it. Otherwise it logs nothing as an error.
//
// How it is done:
//
//   - It keeps nothing of the calls before: the same Secret again is asked for again.
//   - It waits for nothing but List, and starts nothing that goes on when it has returned.
//   - Nothing in the Secret or in the Deployments is changed: both may be the cache's.
//   - The slice is the caller's, as above.
//   - Any number of goroutines may call it at one time.
func Users(cached client.Reader) handler.MapFunc {
	//solution:begin
	//todo: ask the index
	//stub: _ = cached
	//stub: _, _, _ = metav1.PartialObjectMetadata{}, fields.OneTermEqualSelector, types.NamespacedName{}
	//stub: _, _ = log.FromContext, reconcile.Request{}
	//stub: return func(context.Context, client.Object) []reconcile.Request { return nil }
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		if !isSecret(object) {
			return nil
		}
		whole, ok := cached.(interface {
			WaitForCacheSync(ctx context.Context) bool
		})
		if ok && !whole.WaitForCacheSync(ctx) {
			return nil
		}
		var list appsv1.DeploymentList
		secret := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
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
	//solution:end
}
