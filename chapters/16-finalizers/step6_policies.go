package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// policy is a row: how an owner is deleted, and whether its children say that they block that.
type policy struct {
	metav1.DeletionPropagation
	blocks bool
}

// policies is step 6: who goes first. The objects are ConfigMaps, which the garbage collector always knows.
func (t *tour) policies(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		rows := [][]string{{"policy", "blockOwnerDeletion", "owner gone", "a gone", "b gone", "left over"}}
		for i, p := range []policy{{metav1.DeletePropagationBackground, true},
			{metav1.DeletePropagationForeground, true}, {metav1.DeletePropagationForeground, false},
			{metav1.DeletePropagationOrphan, true}} {
			row, err := t.family(ctx, l, w, fmt.Sprint("owner-", i), p)
			if err != nil {
				return err
			}
			rows = append(rows, append([]string{string(p.DeletionPropagation), fmt.Sprint(p.blocks)}, row...))
		}
		l.Table(rows...)
		l.Conclude("The API server deletes the owner, and the garbage collector its children. Background: the owner at once, the children " +
			"after it. Foreground puts a finalizer of the collector's on the owner, and the last child that blocks takes it with " +
			"it; a child that does not block is waited for by nobody. Orphan takes the references off first.")
		return nil
	})
}

// family deletes an owner with two children, and says when they went.
func (t *tour) family(ctx context.Context, l *lab.Lab, w *scenario.World, name string, p policy) ([]string, error) {
	r, err := scenario.NewRecord(ctx, w.User, l.Namespace, &corev1.ConfigMapList{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: name}}
	if err := w.User.Create(ctx, owner); err != nil {
		return nil, err
	}
	names := []string{name + "-a", name + "-b"}
	for _, child := range names {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: child,
			Finalizers: []string{scenario.Mine}, OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1",
				Kind: "ConfigMap", Name: name, UID: owner.UID, BlockOwnerDeletion: ptr.To(p.blocks)}}}}
		if err := w.User.Create(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := w.CollectorSees(ctx); err != nil {
		return nil, err
	}
	r.Begin()
	if err := w.User.Delete(ctx, owner, client.PropagationPolicy(p.DeletionPropagation)); err != nil {
		return nil, err
	}
	if p.DeletionPropagation == metav1.DeletePropagationOrphan {
		if err := r.Gone(ctx, name); err != nil {
			return nil, err
		}
		return append([]string{scenario.Seconds(r.Of(name).Gone, ""), "", ""}, orphans(r, names)), nil
	}
	for i, child := range names {
		if err := free(ctx, w, r, child, time.Duration(i+1)*300*time.Millisecond); err != nil {
			return nil, err
		}
	}
	if err := r.Gone(ctx, append(names, name)...); err != nil {
		return nil, err
	}
	when := func(name string) string { return scenario.Seconds(r.Of(name).Gone, "") }
	return []string{when(name), when(names[0]), when(names[1]), "nothing"}, nil
}

// free takes a child's finalizer out, so long after the child's deletion has begun.
func free(ctx context.Context, w *scenario.World, r *scenario.Record, child string, after time.Duration) error {
	if err := owning.Until(ctx, func() bool { return r.Of(child).Going >= 0 }); err != nil {
		return err
	}
	select {
	case <-time.After(r.Until(r.Of(child).Going + after)):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return patched(ctx, w, r.Of(child).Last.DeepCopyObject().(client.Object), `{"metadata":{"finalizers":null}}`)
}

// orphans are the children that are left, and how many owners they have.
func orphans(r *scenario.Record, names []string) string {
	var left []string
	for _, name := range names {
		if m := r.Of(name); m.Going < 0 {
			left = append(left, fmt.Sprintf("%s, %d owners", name[len(name)-1:], len(m.Last.GetOwnerReferences())))
		}
	}
	return strings.Join(left, "; ")
}
