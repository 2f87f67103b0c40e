// Breaks: Each note has a controller of its own, with its Name. What is slow or fails for one does not hold up another.
// Caught by: TestTheOthersFailuresDoNotCount
// Message: its write is made again as soon as when nothing else had failed
// Removes: add

//go:build wrong

package two

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func Add(m manager.Manager, notes ...Note) error {
	all := &keepers{}
	for _, note := range notes {
		all.each = append(all.each, &keeper{Note: note, client: m.GetClient()})
		nothing := reconcile.Func(func(context.Context, reconcile.Request) (r reconcile.Result, err error) {
			return r, nil
		})
		one := builder.ControllerManagedBy(m).Named(note.Name).For(&corev1.ConfigMap{})
		if err := one.Complete(nothing); err != nil {
			return err
		}
	}
	return builder.ControllerManagedBy(m).Named(fmt.Sprintf("all-of-%p", all)).For(&corev1.ConfigMap{}).Complete(all)
}

// keepers keeps all notes, one after the other. wrong: who is slow holds up the others
type keepers struct{ each []*keeper }

func (k *keepers) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var all error
	for _, one := range k.each {
		_, err := one.Reconcile(ctx, request)
		all = errors.Join(all, err)
	}
	return reconcile.Result{}, all
}
