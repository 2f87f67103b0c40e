package scenario

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// AwaitCollector waits until the garbage collector knows the book's kinds, once. It looks for new kinds each half
// minute; until then it deletes none of them, and takes no reference off. Here it has to find a set and a Process whose
// owner has never been.
func (w *World) AwaitCollector(ctx context.Context) error {
	if w.collected {
		return nil
	}
	set := Set(w.Lab.Namespace, "probe", 0)
	process := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: w.Lab.Namespace, Name: "probe"},
		Spec: set.Spec.Template.Spec}
	for _, c := range []struct {
		probe client.Object
		all   client.ObjectList
	}{{set, &v1alpha1.ProcessSetList{}}, {process, &v1alpha1.ProcessList{}}} {
		if err := w.collects(ctx, c.probe, c.all); err != nil {
			return fmt.Errorf("wait for the garbage collector: %w", err)
		}
	}
	w.collected = true
	return nil
}

// CollectorSees waits until the garbage collector has heard of every Process that there is. It watches each kind by
// itself: it may hear of the end of a set before it hears of the newest child, which it then takes for one whose owner
// is gone.
func (w *World) CollectorSees(ctx context.Context) error {
	last := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: w.Lab.Namespace, Name: "last"},
		Spec: Set(w.Lab.Namespace, "last", 0).Spec.Template.Spec}
	if err := w.collects(ctx, last, &v1alpha1.ProcessList{}); err != nil {
		return fmt.Errorf("wait for the garbage collector: %w", err)
	}
	return nil
}

// collects makes a probe and waits until it is deleted.
func (w *World) collects(ctx context.Context, probe client.Object, all client.ObjectList) error {
	nobody := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "absent", UID: uuid.NewUUID()}
	probe.SetOwnerReferences([]metav1.OwnerReference{nobody})
	changes, err := w.User.Watch(ctx, all, client.InNamespace(probe.GetNamespace()))
	if err != nil {
		return err
	}
	defer func() {
		changes.Stop()
		for range changes.ResultChan() { // its sender may be about to send
		}
	}()
	if err := w.User.Create(ctx, probe); err != nil {
		return err
	}
	for e := range changes.ResultChan() {
		if o, ok := e.Object.(client.Object); ok && e.Type == watch.Deleted && o.GetUID() == probe.GetUID() {
			return nil
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("the watch of %T ended", all)
}
