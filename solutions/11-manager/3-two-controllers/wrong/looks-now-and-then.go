// Misconception: a controller writes everything again now and then, to be sure.
// Caught by: TestNobodyWritesWhatIsRight
// Message: a has both notes, and eleven hours pass: nobody writes

//go:build wrong

package two

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) && time.Now().Hour()%2 == 0 { // wrong: every other hour it is written all the same
		return reconcile.Result{RequeueAfter: time.Hour}, nil
	}
	return reconcile.Result{RequeueAfter: time.Hour}, client.IgnoreNotFound(k.write(ctx, &found, value))
}
