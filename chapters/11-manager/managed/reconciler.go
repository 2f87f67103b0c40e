package managed

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// reconciler is what the workers call. An error brings the key back, rate limited, and is logged, a conflict too: this
// is where chapter 09's workers are silent.
type reconciler struct {
	over    client.Client
	written *mirror.Written // or nil
	cache   cache.Informers // if written is there
	observe func(mirror.Key, error)
}

var _ reconcile.Reconciler = &reconciler{}

// Reconcile is one run. It has the place's namespace and name, and no object: reading is its first act.
func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (_ reconcile.Result, err error) {
	place := mirror.Key(request.NamespacedName)
	if r.observe != nil {
		defer func() { r.observe(place, err) }()
	}
	if r.written != nil {
		if err := r.check(ctx, place); err != nil {
			return reconcile.Result{}, err
		}
	}
	read := &reader{from: r.over, ctx: ctx}
	err = mirror.Reconcile(ctx, place, read, writer{r.over, read, r.written})
	if err == nil {
		err = read.failed // it has concluded that nothing is to be done, from no answer
	}
	return reconcile.Result{}, err
}

// check is an error while the cache is behind what the last run has written. controller-runtime hides the store; what
// it hands out as an informer is one of client-go's, or what NewInformer has made.
func (r *reconciler) check(ctx context.Context, place mirror.Key) error {
	informer, err := r.cache.GetInformer(ctx, &corev1.ConfigMap{})
	if err != nil {
		return err
	}
	shared, ok := informer.(toolscache.SharedIndexInformer)
	if !ok {
		return fmt.Errorf("the cache of ConfigMaps is a %T, which shows no store", informer)
	}
	return r.written.Check(place, shared.GetStore().LastStoreSyncResourceVersion())
}
