package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// sayHow is step 7: what the status says, and of which spec.
func (t *tour) sayHow(ctx context.Context, l *lab.Lab) error {
	set := scenario.Set(l.Namespace, "told", 2)
	err := t.under(ctx, l, scenario.Options{Way: ours()}, func(w *scenario.World, s *scenario.Site) error {
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 2); err != nil {
			return err
		}
		if err := says(ctx, l, w, set, "Starting"); err != nil {
			return err
		}
		for _, p := range []struct{ name, status, reason string }{
			{"told-0", `{"phase":"Running"}`, ""}, {"told-1", `{"phase":"Failed","exitCode":3}`, "Ended"},
			{"told-1", `{"phase":"Running","exitCode":null}`, "AllRun"}} {
			l.Say("%s: %s", p.name, p.status)
			patch := client.RawPatch(types.MergePatchType, []byte(`{"status":`+p.status+`}`))
			if err := w.User.Status().Patch(ctx, process(set, p.name, "told"), patch); err != nil {
				return err
			}
			if p.reason == "" {
				continue
			}
			if err := says(ctx, l, w, set, p.reason); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.Say("The controller is stopped, and the set is scaled to 3:")
	if err := t.world.Scale(ctx, set, 3); err != nil {
		return err
	}
	if err := says(ctx, l, t.world, set, "AllRun"); err != nil {
		return err
	}
	l.Conclude("Ready is true, and was said of another spec: the generation is 2, and observedGeneration 1. A program that waits " +
		"for a condition has to compare the two, as kubectl wait does.")
	return t.world.Clear(ctx, set)
}

// says waits until the status has a reason, and shows it.
func says(ctx context.Context, l *lab.Lab, w *scenario.World, set *v1alpha1.ProcessSet, reason string) error {
	var is v1alpha1.ProcessSet
	err := scenario.Until(ctx, func() bool {
		if w.User.Get(ctx, client.ObjectKeyFromObject(set), &is) != nil {
			return false
		}
		ready := meta.FindStatusCondition(is.Status.Conditions, v1alpha1.ConditionReady)
		return ready != nil && ready.Reason == reason
	})
	if err != nil {
		return err
	}
	l.Became("generation %d, observedGeneration %d, replicas %d, readyReplicas %d", is.Generation,
		is.Status.ObservedGeneration, is.Status.Replicas, is.Status.ReadyReplicas)
	rows := [][]string{}
	for _, c := range is.Status.Conditions {
		rows = append(rows, []string{c.Type, string(c.Status), c.Reason, c.Message,
			fmt.Sprint("of ", c.ObservedGeneration)})
	}
	l.Table(rows...)
	return nil
}
