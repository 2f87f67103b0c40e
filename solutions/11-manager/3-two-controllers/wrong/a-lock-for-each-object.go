// Misconception: two writes to one object must not meet.
// Caught by: TestASlowWrite
// Message: Happened: it still ran: sleeping at exercise.go

//go:build wrong

package two

import (
	"context"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
)

// locks are of all keepers: one for each ConfigMap.
var locks sync.Map

func (k *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var found corev1.ConfigMap
	if err := k.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := k.Value(found.DeepCopy())
	if k.right(&found, value) {
		return reconcile.Result{}, nil
	}
	lock, _ := locks.LoadOrStore(request, &sync.Mutex{})
	lock.(*sync.Mutex).Lock() // wrong: a write that hangs holds up those of the other notes
	defer lock.(*sync.Mutex).Unlock()
	return reconcile.Result{}, client.IgnoreNotFound(k.write(ctx, &found, value))
}
