package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the reader writes with kubectl, and is shown each event, the keys that it becomes, and each
// run.
func follow(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	north := scenario.ProcessSet(l.Namespace, "north", "menu")
	south := scenario.ProcessSet(l.Namespace, "south", "menu", "wine")
	cook := scenario.Process(l.Namespace, "cook")
	if err := swept(ctx, l, over); err != nil {
		return err
	}
	for _, o := range []client.Object{north, south} {
		if err := over.Create(ctx, o); err != nil {
			return err
		}
	}
	if err := controllerutil.SetControllerReference(north, cook, over.Scheme()); err != nil {
		return err
	}
	if err := over.Create(ctx, cook); err != nil {
		return err
	}
	m, err := managed(l, nil)
	if err != nil {
		return err
	}
	log := scenario.NewLog(func(h scenario.Heard) {
		l.Event(h.Type, "%s %s: keys %s", h.By, h.Name(), scenario.Names(h.Keys))
	})
	run := reconcile.Func(func(_ context.Context, r reconcile.Request) (result reconcile.Result, err error) {
		l.Became("a run for %s", r.Name)
		return result, nil
	})
	l.Say("There are ProcessSets: north uses ConfigMap menu, and south uses menu and wine. north is the controller of Process " +
		"cook. In another terminal, in this folder:")
	kc := l.Alias()
	l.Command("%s get processsets,processes", kc)
	l.Command("%s create configmap menu --from-literal=today=soup", kc)
	l.Command("%s create configmap bread --from-literal=today=rye", kc)
	l.Command("%s annotate processset north --overwrite %s=bread", kc, scenario.Uses)
	l.Command("%s label configmap bread color=black", kc)
	l.Command("%s delete process cook", kc)
	if err := sets(ctx, m, log, run); err != nil {
		return err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if err := started.Wait(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("the manager has ended: %w", err)
	}
	return nil
}

// swept takes away what the steps have left.
func swept(ctx context.Context, l *lab.Lab, over client.Client) error {
	for _, kind := range []client.Object{&v1alpha1.ProcessSet{}, &v1alpha1.Process{}, &corev1.ConfigMap{}} {
		if err := over.DeleteAllOf(ctx, kind, client.InNamespace(l.Namespace)); err != nil {
			return err
		}
	}
	return nil
}
