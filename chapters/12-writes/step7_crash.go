package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// saver is a way to save what a run has changed.
type saver struct {
	name string
	run  func(over client.Client, m *scenario.Machine) reconcile.Reconciler
}

// savers are the book's and upstream's.
func savers() []saver {
	return []saver{
		{"Base", func(over client.Client, m *scenario.Machine) reconcile.Reconciler {
			return writes.New(over, m.Run)
		}},
		{"CreateOrPatch", func(over client.Client, m *scenario.Machine) reconcile.Reconciler {
			return reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
				p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name}}
				_, err := controllerutil.CreateOrPatch(ctx, over, p, func() error {
					_, err := m.Run(ctx, p)
					return err
				})
				return reconcile.Result{}, err
			})
		}},
	}
}

// never is more writes than a run makes.
const never = 100

// crash is step 7: a program ends between two writes, and starts again.
func crash(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	user, err := client.NewWithWatch(before.Config(l), client.Options{HTTPClient: l.HTTPClient(), Scheme: known()})
	if err != nil {
		return err
	}
	rows := [][]string{{"", "it ends after", "has written", "the next one", "processes", "status", "label"}}
	for _, s := range savers() {
		for _, after := range []int{never, 1, 0} {
			p, err := subject(ctx, user, l.Namespace, fmt.Sprintf("%s-%d", strings.ToLower(s.name), after))
			if err != nil {
				return err
			}
			row, err := crashed(ctx, user, s, client.ObjectKeyFromObject(p), after)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	l.Table(rows...)
	l.Conclude("What a run has done to the world can't be done again, and what it has decided can be decided again. So the " +
		"status is saved first. A program that ends before it has saved anything starts a second process in both: that " +
		"takes a name that can be found again, and is chapter 15's.")
	return nil
}

// crashed runs until all is well. The first program ends after so many writes.
func crashed(ctx context.Context, user client.WithWatch, s saver, key client.ObjectKey, after int) ([]string, error) {
	machine, written := &scenario.Machine{}, [2][]string{}
	for program, limit := range []int{after, never} {
		over := scenario.Ending(user, limit, func(what string) { written[program] = append(written[program], what) })
		_, err := s.run(over, machine).Reconcile(ctx, reconcile.Request{NamespacedName: key})
		if err != nil && !errors.Is(err, scenario.ErrEnded) {
			return nil, err
		}
	}
	var now v1alpha1.Process
	if err := user.Get(ctx, key, &now); err != nil {
		return nil, err
	}
	when := map[int]string{never: "its last", 1: "1 write", 0: "no write"}[after]
	return []string{s.name, when, orNothing(strings.Join(written[0], ", ")), orNothing(strings.Join(written[1], ", ")),
		fmt.Sprint(machine.Started()), "PID " + pidOf(&now), orNothing(now.Labels[scenario.Node])}, nil
}
