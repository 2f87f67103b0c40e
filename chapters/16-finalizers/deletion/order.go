package deletion

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// Order deletes the Processes of a set one after the other, the highest number first. It deletes the next one only when
// the last one is gone, and not when its deletion has begun. Each is deleted as it was read, or not at all: somebody
// may say meanwhile that the set's Processes are to stay, and the garbage collector take the set's references off them.
//
// Upstream has no counterpart: a StatefulSet makes its Pods in order and scales in order, and promises no order when it
// is deleted itself. Its Pods are deleted by the garbage collector.
type Order struct {
	Live client.Reader // a cache may not show yet what was made last
	Over client.Writer
}

// Do is a step. It is done when the set controls no Process any more.
//
// A set that was deleted with propagationPolicy Orphan has the API server's finalizer for that, and keeps its
// Processes.
func (d *Order) Do(ctx context.Context, set client.Object) error {
	if slices.Contains(set.GetFinalizers(), metav1.FinalizerOrphanDependents) {
		return nil
	}
	var all v1alpha1.ProcessList
	if err := d.Live.List(ctx, &all, client.InNamespace(set.GetNamespace())); err != nil {
		return err
	}
	var last *v1alpha1.Process
	for i := range all.Items {
		p := &all.Items[i]
		switch {
		case !metav1.IsControlledBy(p, set):
		case p.DeletionTimestamp != nil:
			return &Waiting{For: p.Name + ", which is being deleted"}
		case last == nil || place(set, p) > place(set, last):
			last = p
		}
	}
	if last == nil {
		return nil
	}
	err := d.Over.Delete(ctx, last, client.Preconditions{UID: &last.UID, ResourceVersion: &last.ResourceVersion})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) { // these two: an event tells of more
		return fmt.Errorf("delete %s: %w", last.Name, err)
	}
	return &Waiting{For: last.Name}
}

// place is a child's in the order. What was adopted under another name has no number, and goes last.
func place(set client.Object, p *v1alpha1.Process) int {
	if number, ok := owned.Number(set.GetName(), p.Name); ok {
		return number
	}
	return -1
}
