package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// inOrder is step 5: a set of three, deleted in two ways.
func (t *tour) inOrder(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, _ *running.Controller) error {
		if err := t.collector(ctx, l, w); err != nil {
			return err
		}
		rows := [][]string{{"", "deletions that have begun", "at one time", "the set is gone after"}}
		for _, policy := range []metav1.DeletionPropagation{metav1.DeletePropagationBackground,
			metav1.DeletePropagationForeground} {
			row, err := t.threeGo(ctx, l, w, policy)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		l.Table(rows...)
		l.Conclude("The finalizer of the set's controller makes time: the set is there until its last Process is gone. The order is the " +
			"controller's as long as nobody else deletes the Processes. In the foreground the garbage collector deletes them.")
		return nil
	})
}

// threeGo makes a set of three, deletes it, and says how its Processes went.
func (t *tour) threeGo(ctx context.Context, l *lab.Lab, w *scenario.World, policy metav1.DeletionPropagation) ([]string,
	error) {
	name := strings.ToLower(string(policy))[:4]
	command, args := scenario.Slow("0.3")
	set := w.Set(name, 3, command, args...)
	r, err := scenario.NewRecord(ctx, w.User, l.Namespace, &v1alpha1.ProcessList{}, &v1alpha1.ProcessSetList{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := w.User.Create(ctx, set); err != nil {
		return nil, err
	}
	if err := owning.Until(ctx, func() bool {
		now, ok := r.Of(name).Last.(*v1alpha1.ProcessSet)
		return ok && now.Status.ReadyReplicas == 3
	}); err != nil {
		return nil, err
	}
	if err := w.World.CollectorSees(ctx); err != nil {
		return nil, err
	}
	r.Begin()
	if err := w.User.Delete(ctx, set, client.PropagationPolicy(policy)); err != nil {
		return nil, err
	}
	children := []string{name + "-0", name + "-1", name + "-2"}
	if err := r.Gone(ctx, append(children, name)...); err != nil {
		return nil, err
	}
	slices.SortFunc(children, func(a, b string) int { return int(r.Of(a).Going - r.Of(b).Going) })
	order, at := strings.Join(children, ", "), together(r, children)
	if at == len(children) {
		order = "all three at once"
	}
	return []string{string(policy), order, fmt.Sprint(at), scenario.Seconds(r.Of(name).Gone, "")}, nil
}

// together is how many Processes were being deleted at one time, at most.
func together(r *scenario.Record, names []string) (most int) {
	for _, at := range names {
		n := 0
		for _, other := range names {
			if is, when := r.Of(other), r.Of(at).Going; is.Going <= when && when < is.Gone {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
