// Misconception: a run should see the newest state.
// Caught by: TestOneInformer
// Message: the belief that a run should see the newest state

//go:build wrong

package two

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(m manager.Manager, note Note) error {
	return builder.ControllerManagedBy(m).Named(note.Name).For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 2}).
		Complete(&keeper{Note: note, client: m.GetClient(), newest: m.GetAPIReader()})
}

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.newest.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}

type keeper struct {
	Note
	client client.Client
	newest client.Reader // wrong
}
