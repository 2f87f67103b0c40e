package main

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// claim is step 4: what a set adopts, releases, and leaves alone.
func (t *tour) claim(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Options{Way: ours()}, func(w *scenario.World, s *scenario.Site) error {
		set, other := scenario.Set(l.Namespace, "shop", 3), scenario.Set(l.Namespace, "other", 1)
		tier := map[string]string{"tier": "front"}
		other.Spec.Selector, other.Spec.Template.Labels = tier, tier
		for _, o := range []client.Object{other, process(set, "stray", "shop"), process(set, "lone", "bar"),
			process(set, "foreign", "shop")} {
			if p, ok := o.(*v1alpha1.Process); ok && p.Name == "foreign" {
				p.Labels["tier"] = "front"
				p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(other, owned.Kind)}
			}
			if err := w.User.Create(ctx, o); err != nil {
				return err
			}
		}
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := controlled(ctx, w, set, 3); err != nil {
			return err
		}
		rows := [][]string{{"", "app", "controlled by"}}
		if err := whose(ctx, l, w, rows); err != nil {
			return err
		}
		l.Say("shop-0 gets the label app=bar:")
		p := process(set, "shop-0", "")
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"app":"bar"}}}`))
		if err := w.User.Patch(ctx, p, patch); err != nil {
			return err
		}
		replaced := func() bool { return has(ctx, w, l.Namespace, "shop-2") && s.Rests() }
		if err := scenario.Until(ctx, replaced); err != nil {
			return err
		}
		if err := controlled(ctx, w, set, 3); err != nil {
			return err
		}
		if err := whose(ctx, l, w, rows); err != nil {
			return err
		}
		l.Conclude("The ownerReferences of a Process say whose it is, by UID. The selector says whose it may become, or no longer is. " +
			"stray was adopted and counts, so that two more are made. shop-0 was released and goes on, and shop-2 takes its " +
			"place: with another label a Process can be looked at in peace.")
		return errors.Join(w.Clear(ctx, set), w.Clear(ctx, other))
	})
}

// process is one with a label.
func process(beside *v1alpha1.ProcessSet, name, app string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: beside.Namespace, Name: name,
		Labels: map[string]string{"app": app}}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// controlled waits until a set controls so many Processes.
func controlled(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet, want int) error {
	return scenario.Until(ctx, func() bool {
		var all v1alpha1.ProcessList
		if w.User.List(ctx, &all, client.InNamespace(set.Namespace)) != nil {
			return false
		}
		have := 0
		for i := range all.Items {
			if metav1.IsControlledBy(&all.Items[i], set) {
				have++
			}
		}
		return have == want
	})
}

// whose shows who controls each Process of the step.
func whose(ctx context.Context, l *lab.Lab, w *scenario.World, rows [][]string) error {
	for _, app := range []string{"shop", "bar"} {
		all, err := children(ctx, w, scenario.Set(l.Namespace, app, 0))
		if err != nil {
			return err
		}
		for i := range all {
			rows = append(rows, []string{all[i].Name, app, owner(&all[i])})
		}
	}
	l.Table(rows...)
	return nil
}
