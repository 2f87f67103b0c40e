package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// own is step 1: a set, and what its controller makes of it.
func (t *tour) own(ctx context.Context, l *lab.Lab) error {
	o := scenario.Options{Way: ours(), Shown: onlyChildren(l)}
	return t.under(ctx, l, o, func(w *scenario.World, s *scenario.Site) error {
		set := scenario.Set(l.Namespace, "web", 3)
		l.Say("A set of three:")
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 3); err != nil {
			return err
		}
		if err := noted(ctx, l, w, set); err != nil {
			return err
		}
		gone := &v1alpha1.Process{}
		if err := w.User.Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: "web-1"}, gone); err != nil {
			return err
		}
		of := metav1.GetControllerOf(gone)
		l.Became("web-1 has an ownerReference: %s %s, the UID is the set's: %t, controller: %t", of.Kind, of.Name,
			of.UID == set.UID, *of.Controller)
		l.Say("Somebody deletes web-1:")
		if err := w.User.Delete(ctx, gone); err != nil {
			return err
		}
		replaced := func() bool {
			var is v1alpha1.ProcessSet
			return w.User.Get(ctx, client.ObjectKeyFromObject(set), &is) == nil && owned.Next(&is) == 4
		}
		if err := scenario.Until(ctx, replaced); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 3); err != nil {
			return err
		}
		if err := noted(ctx, l, w, set); err != nil {
			return err
		}
		l.Say("It is scaled to two:")
		if err := w.Scale(ctx, set, 2); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 2); err != nil {
			return err
		}
		all, err := children(ctx, w, set)
		if err != nil {
			return err
		}
		l.Became("%s", names(all))
		l.Conclude("A child names the set in its ownerReferences, by its UID. Its number is the next one that no child has " +
			"had, and the set notes how far the numbers have come. None of these children runs, so the youngest goes.")
		return nil
	})
}

// noted shows what the controller has written into the set.
func noted(ctx context.Context, l *lab.Lab, w *scenario.World, set *v1alpha1.ProcessSet) error {
	var is v1alpha1.ProcessSet
	if err := w.User.Get(ctx, client.ObjectKeyFromObject(set), &is); err != nil {
		return err
	}
	l.Became("the set notes %s: %s; its status: replicas %d", owned.NextNumber, is.Annotations[owned.NextNumber],
		is.Status.Replicas)
	return nil
}

// has says whether there is a Process of the name.
func has(ctx context.Context, w *scenario.World, namespace, name string) bool {
	return w.User.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &v1alpha1.Process{}) == nil
}
