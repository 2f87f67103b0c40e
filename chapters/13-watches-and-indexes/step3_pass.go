package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// resynced is how often the cache of step 3 tells all that it has once more. Upstream's is ten hours.
const resynced = 300 * time.Millisecond

// finalizer keeps an object that is deleted until somebody takes it away.
const finalizer = "scratch.example.com/demo"

// pass is step 3: what each predicate lets through.
func (t *tour) pass(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	m, err := managed(l, func(o *manager.Options) { o.Cache.SyncPeriod = ptr.To(resynced) })
	if err != nil {
		return err
	}
	log := scenario.NewLog(nil)
	for name, kind := range map[string]client.Object{"Process": &v1alpha1.Process{}, "ConfigMap": &corev1.ConfigMap{}} {
		err := builder.ControllerManagedBy(m).Named(name).Watches(kind, log.Handler(name, routing.Object())).
			Complete(reconcile.Func(nothing))
		if err != nil {
			return err
		}
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	predicates := []struct {
		name string
		p    predicate.Predicate
	}{
		{"none", routing.And()},
		{"ResourceVersion", routing.ResourceVersionChanged()},
		{"Generation", routing.GenerationChanged()},
		{"Label", routing.LabelChanged()},
		{"Annotation", routing.AnnotationChanged()},
	}
	head := []string{"", "generation"}
	for _, p := range predicates {
		head = append(head, p.name)
	}
	rows := [][]string{head}
	for _, w := range changes(l, over) {
		if err := w.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		heard, err := log.Await(ctx, w.by, w.event())
		if err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		row := []string{w.what, generations(heard)}
		for _, p := range predicates {
			row = append(row, map[bool]string{true: "yes", false: "-"}[heard.Passes(p.p)])
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("All four are about updates, and let creations and deletions pass. A generation is the API server's count of " +
		"what somebody wants: the spec, and that it be deleted. ConfigMaps have none, so that no update of them passes.")
	return started.Stop()
}

// generations are those of an event, as it was and as it is.
func generations(h scenario.Heard) string {
	if h.Before == nil {
		return fmt.Sprint(h.Object.GetGeneration())
	}
	return fmt.Sprintf("%d, %d", h.Before.GetGeneration(), h.Object.GetGeneration())
}

// changed is a write, or the resync of what was written.
type changed struct {
	write
	resync bool
}

func (c changed) event() func(scenario.Heard) bool {
	if !c.resync {
		return scenario.Since(c.o, c.gone)
	}
	return func(h scenario.Heard) bool { // another one may have come before the last write
		return h.Name() == c.o.GetName() && h.Resync() && h.Object.GetResourceVersion() == c.o.GetResourceVersion()
	}
}

// changes are what happens to a Process and a ConfigMap, in this order.
func changes(l *lab.Lab, over client.Client) (all []changed) {
	p, menu := scenario.Process(l.Namespace, "filtered"), scenario.ConfigMap(l.Namespace, "filtered", "soup")
	p.Finalizers = []string{finalizer}
	create := func(o client.Object) func(context.Context) error {
		return func(ctx context.Context) error { return over.Create(ctx, o) }
	}
	update := func(o client.Object, change func()) func(context.Context) error {
		return func(ctx context.Context) error { change(); return over.Update(ctx, o) }
	}
	add := func(what, by string, o client.Object, do func(context.Context) error) {
		all = append(all, changed{write: write{what: what, by: by, o: o, do: do}})
	}
	add("a Process is created", "Process", p, create(p))
	add("its spec", "Process", p, update(p, func() { p.Spec.GracePeriodSeconds = ptr.To[int32](5) }))
	add("its status", "Process", p, func(ctx context.Context) error {
		p.Status.Phase = v1alpha1.PhaseRunning
		return over.Status().Update(ctx, p)
	})
	add("a label", "Process", p, update(p, func() { p.Labels = map[string]string{"color": "black"} }))
	add("an annotation", "Process", p, update(p, func() { p.Annotations = map[string]string{"color": "black"} }))
	nothing := func(context.Context) error { return nil }
	all = append(all, changed{write{what: "a resync", by: "Process", o: p, do: nothing}, true})
	add("deleted, with a finalizer", "Process", p, func(ctx context.Context) error {
		if err := over.Delete(ctx, p); err != nil {
			return err
		}
		return over.Get(ctx, client.ObjectKeyFromObject(p), p)
	})
	all = append(all, changed{write: write{"without it: it is gone", "Process", p,
		update(p, func() { p.Finalizers = nil }), true}})
	add("a ConfigMap is created", "ConfigMap", menu, create(menu))
	add("its data", "ConfigMap", menu, update(menu, func() { menu.Data["today"] = "stew" }))
	add("a label", "ConfigMap", menu, update(menu, func() { menu.Labels = map[string]string{"color": "black"} }))
	return all
}
