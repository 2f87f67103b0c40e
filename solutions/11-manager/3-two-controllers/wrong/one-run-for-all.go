// Misconception: one controller can keep all notes in one run.
// Caught by: TestTheNames
// Message: two notes of one name: Add returns an error
// Removes: add

//go:build wrong

package two

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func Add(m manager.Manager, notes ...Note) error {
	all := &keepers{}
	for _, note := range notes {
		all.each = append(all.each, &keeper{Note: note, client: m.GetClient()})
	}
	return builder.ControllerManagedBy(m).Named(notes[0].Name).For(&corev1.ConfigMap{}).Complete(all)
}

// keepers keeps all notes, one after the other. wrong: who is slow or fails holds up the others
type keepers struct{ each []*keeper }

func (k *keepers) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	for _, one := range k.each {
		if _, err := one.Reconcile(ctx, request); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
}
