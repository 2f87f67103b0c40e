package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// askFirst is step 5: the controller that asks the API server.
func (t *tour) askFirst(ctx context.Context, l *lab.Lab) error {
	if err := t.orphaned(ctx, l, ours(), "kept"); err != nil {
		return err
	}
	l.Conclude("Before it adopts, the controller reads the set from the API server: the set is being deleted, or gone. So it " +
		"adopts nothing, and the run fails; it is tried again until the cache has lost the set, too. -fault stale-adoption " +
		"shows a controller that does not ask.")
	return nil
}

// orphaned deletes a set whose Processes are to stay, while its controller's cache still has it.
func (t *tour) orphaned(ctx context.Context, l *lab.Lab, way scenario.Way, name string) error {
	if err := t.collector(ctx, l); err != nil {
		return err
	}
	o := scenario.Options{Way: way, Late: "processsets", Shown: onlyPatches(l)}
	return t.under(ctx, l, o, func(w *scenario.World, s *scenario.Site) error {
		set := scenario.Set(l.Namespace, name, 2)
		l.Say("A set of two gets its Processes. Then the controller's watch of ProcessSets shows nothing any more, and the set is " +
			"deleted with --cascade=orphan.")
		s.Quiet(true)
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 2); err != nil {
			return err
		}
		if err := w.CollectorSees(ctx); err != nil {
			return err
		}
		s.Quiet(false)
		s.Close()
		if err := w.User.Delete(ctx, set, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
			return err
		}
		first := []string{name + "-0", name + "-1"}
		over := func() bool { return !there(ctx, w, set) && apierrors.IsNotFound(firstOf(s.Failed())) }
		if way.Parts().Trusting { // it has adopted them, and the garbage collector comes
			over = func() bool { return !has(ctx, w, l.Namespace, first[0]) && !has(ctx, w, l.Namespace, first[1]) }
		}
		if err := scenario.Until(ctx, over); err != nil {
			return err
		}
		s.Quiet(true)
		if !way.Parts().Trusting {
			l.Became("the run has failed:")
			l.WireWhole(firstOf(s.Failed()).Error())
		}
		left := slices.DeleteFunc(first, func(name string) bool { return !has(ctx, w, l.Namespace, name) })
		l.Became("left: %s", cmp.Or(strings.Join(left, ", "), "none of the two"))
		s.Open()
		return w.Clear(ctx, set)
	})
}

// firstOf is the first of several errors that were joined.
func firstOf(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	return err
}

// there says whether there is a set.
func there(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet) bool {
	return w.User.Get(ctx, client.ObjectKeyFromObject(set), &v1alpha1.ProcessSet{}) == nil
}
