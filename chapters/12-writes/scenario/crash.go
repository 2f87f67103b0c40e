package scenario

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Saver is a way to save what a run has changed.
type Saver struct {
	Name string

	run func(over client.Client, m *Machine) reconcile.Reconciler
}

// Savers are the book's and upstream's.
func Savers() []Saver {
	return []Saver{
		{"Base", func(over client.Client, m *Machine) reconcile.Reconciler {
			return writes.New(over, m.Run)
		}},
		{"CreateOrPatch", func(over client.Client, m *Machine) reconcile.Reconciler {
			return reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
				p := Named(r.Namespace, r.Name)
				_, err := controllerutil.CreateOrPatch(ctx, over, p, func() error {
					_, err := m.Run(ctx, p)
					return err
				})
				return reconcile.Result{}, err
			})
		}},
	}
}

// Never is more writes than a run makes.
const Never = 100

// Crash is what came of a program that has ended between its writes, and of the one after it.
type Crash struct {
	Written [2][]string // by each of the two
	Started int         // processes
	Process *v1alpha1.Process
}

// Crashed has a program save an object, and end after so many writes. The next one makes all right.
func (s Saver) Crashed(ctx context.Context, user client.WithWatch, key client.ObjectKey, after int) (
	c Crash, err error) {
	machine := &Machine{}
	for program, limit := range []int{after, Never} {
		over := Ending(user, limit, func(what string) { c.Written[program] = append(c.Written[program], what) })
		_, err := s.run(over, machine).Reconcile(ctx, reconcile.Request{NamespacedName: key})
		if err != nil && !errors.Is(err, ErrEnded) {
			return c, err
		}
	}
	c.Started, c.Process = machine.Started(), &v1alpha1.Process{}
	return c, user.Get(ctx, key, c.Process)
}
