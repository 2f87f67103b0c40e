package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// policies are how a set can be deleted.
var policies = []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationOrphan,
	metav1.DeletePropagationForeground}

// letGo is step 6: what becomes of the children of a set that is deleted.
func (t *tour) letGo(ctx context.Context, l *lab.Lab) error {
	if err := t.collector(ctx, l); err != nil {
		return err
	}
	rows := [][]string{{"", "gone first", "left", "made meanwhile"}}
	for _, policy := range policies {
		tally := scenario.NewTally(0)
		err := t.under(ctx, l, scenario.Options{Way: ours(), Tally: tally},
			func(w *scenario.World, s *scenario.Site) error {
				row, err := t.gone(ctx, l, w, s, tally, policy)
				rows = append(rows, row)
				return err
			})
		if err != nil {
			return err
		}
	}
	l.Table(rows...)
	l.Conclude("The garbage collector deletes the children, and not the controller: it sees an owner that is gone, or that waits " +
		"for them. A controller that goes on counting would make them anew, as often as the collector deletes them. So this " +
		"one makes nothing for a set with a deletionTimestamp. -fault foreground shows one that does.")
	return nil
}

// gone deletes a set, and waits until all is over.
func (t *tour) gone(ctx context.Context, l *lab.Lab, w *scenario.World, s *scenario.Site, tally *scenario.Tally,
	policy metav1.DeletionPropagation) ([]string, error) {
	set := scenario.Set(l.Namespace, map[metav1.DeletionPropagation]string{metav1.DeletePropagationBackground: "back",
		metav1.DeletePropagationOrphan: "left", metav1.DeletePropagationForeground: "fore"}[policy], 2)
	if err := w.User.Create(ctx, set); err != nil {
		return nil, err
	}
	if err := settled(ctx, w, s, set, 2); err != nil {
		return nil, err
	}
	if err := w.CollectorSees(ctx); err != nil {
		return nil, err
	}
	made := tally.Made()
	s.Close() // it hears of the set's deletion first: two watches are not equally late
	first, err := goes(ctx, w, set, policy, func() error {
		added := s.Added()
		heard := func() bool { return s.Added() > added && s.Rests() }
		if err := w.User.Delete(ctx, set, client.PropagationPolicy(policy)); err != nil {
			return err
		}
		defer s.Open()
		return scenario.Until(ctx, heard)
	})
	if err != nil {
		return nil, err
	}
	if err := scenario.Until(ctx, func() bool { return s.Rests() }); err != nil {
		return nil, err
	}
	all, err := children(ctx, w, set)
	if err != nil {
		return nil, err
	}
	return []string{string(policy), first, names(all), fmt.Sprint(tally.Made() - made)}, w.Clear(ctx, set)
}

// goes has a set deleted, waits until all is gone that goes, and says what was gone first. The versions of their last
// events are compared, which come by two watches.
func goes(ctx context.Context, w *scenario.World, set *v1alpha1.ProcessSet, policy metav1.DeletionPropagation,
	deletes func() error) (first string, err error) {
	left := 0
	if policy != metav1.DeletePropagationOrphan {
		left = int(*set.Spec.Replicas)
	}
	ends := make(chan client.Object, 2*(left+1))
	for _, of := range []client.ObjectList{&v1alpha1.ProcessSetList{}, &v1alpha1.ProcessList{}} {
		events, err := w.User.Watch(ctx, of, client.InNamespace(set.Namespace))
		if err != nil {
			return "", err
		}
		defer events.Stop()
		go tell(events, ends)
	}
	if err := deletes(); err != nil {
		return "", err
	}
	setAt, childAt := "", ""
	for setAt == "" || left > 0 {
		select {
		case gone := <-ends:
			if gone.GetUID() == set.UID {
				setAt = gone.GetResourceVersion()
			} else {
				childAt = gone.GetResourceVersion()
				left--
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
	if order, err := resourceversion.CompareResourceVersion(childAt, setAt); err == nil && order < 0 {
		return "its Processes", nil
	}
	return "the set", nil
}

// tell tells of what is gone.
func tell(events watch.Interface, ends chan<- client.Object) {
	for e := range events.ResultChan() {
		if o, ok := e.Object.(client.Object); ok && e.Type == watch.Deleted {
			ends <- o
		}
	}
}
