package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
		added, runs := s.Added(), s.Runs()
		if err := w.User.Delete(ctx, set, client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
			return err
		}
		heard := func() bool { return !there(ctx, w, set) && s.Added() >= added+2 && s.Runs() >= runs+2 }
		if err := scenario.Until(ctx, heard); err != nil {
			return err
		}
		first := []string{name + "-0", name + "-1"}
		if way.Parts().Trusting { // it has adopted them, and the garbage collector comes
			gone := func() bool { return !has(ctx, w, l.Namespace, first[0]) && !has(ctx, w, l.Namespace, first[1]) }
			if err := scenario.Until(ctx, gone); err != nil {
				return err
			}
		}
		s.Quiet(true)
		if err := s.Failed(); err != nil && !way.Parts().Trusting {
			first, _, _ := strings.Cut(err.Error(), "\n")
			l.Became("the run has failed:")
			l.WireWhole(first)
		}
		left := slices.DeleteFunc(first, func(name string) bool { return !has(ctx, w, l.Namespace, name) })
		l.Became("left: %s", cmp.Or(strings.Join(left, ", "), "none of the two"))
		s.Open()
		return w.Clear(ctx, set)
	})
}

// there says whether there is a set.
func there(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet) bool {
	return w.User.Get(ctx, client.ObjectKeyFromObject(set), &v1alpha1.ProcessSet{}) == nil
}
