package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// The three ways to watch, as a builder calls them.
const (
	forSets       = "For ProcessSet"
	ownsProcesses = "Owns Process"
	watchesMaps   = "Watches ConfigMap"
)

// sets gives a manager a controller of ProcessSets that watches in all three ways, on the chapter's handlers.
func sets(ctx context.Context, m manager.Manager, log *scenario.Log, run reconcile.Reconciler) error {
	err := m.GetFieldIndexer().IndexField(ctx, &v1alpha1.ProcessSet{}, "uses", scenario.Used)
	if err != nil {
		return err
	}
	owner, err := routing.Owner(m.GetScheme(), m.GetRESTMapper(), &v1alpha1.ProcessSet{}, routing.OnlyController())
	if err != nil {
		return err
	}
	return builder.ControllerManagedBy(m).Named("sets").
		Watches(&v1alpha1.ProcessSet{}, log.Handler(forSets, routing.Object())).
		Watches(&v1alpha1.Process{}, log.Handler(ownsProcesses, owner)).
		Watches(&corev1.ConfigMap{}, log.Handler(watchesMaps, routing.Mapped(scenario.UsersOf(m.GetClient())))).
		Complete(run)
}

// write is something that somebody does to an object.
type write struct {
	what string
	by   string // the watch that hears of it
	o    client.Object
	do   func(context.Context) error
	gone bool
}

// route is step 1: which event becomes which key.
func (t *tour) route(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	m, err := managed(l, nil)
	if err != nil {
		return err
	}
	log := scenario.NewLog(nil)
	if err := sets(ctx, m, log, reconcile.Func(nothing)); err != nil {
		return err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	rows := [][]string{{"", forSets, ownsProcesses, watchesMaps}}
	for _, w := range writes(l, over) {
		if err := w.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		heard, err := log.Await(ctx, w.by, scenario.Since(w.o, w.gone))
		if err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		row := []string{w.what, "", "", ""}
		for i, by := range rows[0] {
			if by == w.by {
				row[i] = scenario.Names(heard.Keys)
			}
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("A key is always one of the controller's own kind. An event of another kind becomes one by what the object says " +
		"of its owner, or by a function. Which of them it was, and what happened, no run is told.")
	return started.Stop()
}

// writes are what somebody does, in this order.
func writes(l *lab.Lab, over client.Client) []write {
	north := scenario.ProcessSet(l.Namespace, "north", "menu")
	south := scenario.ProcessSet(l.Namespace, "south", "menu", "wine")
	one, both := scenario.Process(l.Namespace, "one"), scenario.Process(l.Namespace, "both")
	menu, bread := scenario.ConfigMap(l.Namespace, "menu", "soup"), scenario.ConfigMap(l.Namespace, "bread", "rye")
	owned := func(o client.Object, by, beside client.Object) error {
		err := controllerutil.SetControllerReference(by, o, over.Scheme())
		if beside != nil && err == nil {
			err = controllerutil.SetOwnerReference(beside, o, over.Scheme())
		}
		return err
	}
	create := func(o client.Object) func(context.Context) error {
		return func(ctx context.Context) error { return over.Create(ctx, o) }
	}
	return []write{
		{"ProcessSets north, which uses menu,", forSets, north, create(north), false},
		{"and south, which uses menu and wine", forSets, south, create(south), false},
		{"a Process whose controller is north", ownsProcesses, one, func(ctx context.Context) error {
			if err := owned(one, north, nil); err != nil {
				return err
			}
			return over.Create(ctx, one)
		}, false},
		{"its status says that it runs", ownsProcesses, one, func(ctx context.Context) error {
			one.Status.Phase, one.Status.PID = v1alpha1.PhaseRunning, ptr.To[int32](4711)
			return over.Status().Update(ctx, one)
		}, false},
		{"one of north, which south owns, too", ownsProcesses, both, func(ctx context.Context) error {
			if err := owned(both, north, south); err != nil {
				return err
			}
			return over.Create(ctx, both)
		}, false},
		{"south becomes its controller", ownsProcesses, both, func(ctx context.Context) error {
			for i := range both.OwnerReferences {
				both.OwnerReferences[i].Controller = ptr.To(both.OwnerReferences[i].Name == "south")
			}
			return over.Update(ctx, both)
		}, false},
		{"it is deleted", ownsProcesses, both, func(ctx context.Context) error { return over.Delete(ctx, both) }, true},
		{"ConfigMap menu is created", watchesMaps, menu, create(menu), false},
		{"it changes", watchesMaps, menu, func(ctx context.Context) error {
			menu.Data["today"] = "stew"
			return over.Update(ctx, menu)
		}, false},
		{"ConfigMap bread, which nobody uses", watchesMaps, bread, create(bread), false},
		{"menu is deleted", watchesMaps, menu, func(ctx context.Context) error { return over.Delete(ctx, menu) }, true},
		{"the status of north", forSets, north, func(ctx context.Context) error {
			north.Status.ObservedGeneration = north.Generation
			return over.Status().Update(ctx, north)
		}, false},
	}
}
