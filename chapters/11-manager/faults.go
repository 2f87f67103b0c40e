package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// panics is -fault panic: one key's runs panic.
func (t *tour) panics(ctx context.Context, l *lab.Lab) error {
	record := opened.New()
	c, err := t.panicking(record)
	if err != nil {
		return err
	}
	running := scenario.Run(ctx, c.Start)
	defer func() { _ = running.Stop() }()
	again := 0
	_, err = record.Await(ctx, func(e opened.Event) bool {
		if e.Part == opened.Queues && e.Item == "bad" && e.What == "AddRateLimited" {
			again++
		}
		return again == shownRuns
	})
	if err != nil {
		return err
	}
	if err := running.Stop(); err != nil {
		return err
	}
	row := func(name string) []string {
		cells := []string{name}
		for _, e := range record.Events(opened.Reconcilers) {
			if e.Item == name && e.What == "runs" && len(cells) <= shownRuns {
				cells = append(cells, e.At.Round(time.Millisecond).String())
			}
		}
		return cells
	}
	l.Table([]string{"the key", "1st run", "2nd", "3rd", "4th"}, row("bad"), row("good"))
	for _, message := range []string{"Observed a panic", "Reconciler error"} {
		e, err := record.Await(ctx, logged(message))
		if err != nil {
			return err
		}
		l.WireWhole(e.What + ": " + cmp.Or(value(e, "panic"), value(e, "error")))
	}
	l.Conclude("The panic is that key's error: it is logged, counted, and tried again, and nothing else is held up. " +
		"With RecoverPanic: false it ends the program, and so does a panic in any other runnable.")
	return nil
}

// panicking is a controller that is in no manager, and gets two keys.
func (t *tour) panicking(record *opened.Record) (controller.Controller, error) {
	run := reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
		if r.Name == "bad" {
			var names map[string]string
			//lint:ignore SA5000 this is what panics
			names[r.Name] = "nobody made the map"
		}
		return reconcile.Result{}, nil
	})
	c, err := controller.NewUnmanaged("panic", controller.Options{
		SkipNameValidation: ptr.To(true),
		Logger:             record.Logger(),
		NewQueue:           record.NewQueue(t.parts.made().NewQueue),
		Reconciler:         record.Reconciler("panic", run),
	})
	if err != nil {
		return nil, err
	}
	return c, c.Watch(keys("bad", "good"))
}

// neverSyncs is -fault never-syncs: two caches that can't be filled.
func (t *tour) neverSyncs(ctx context.Context, l *lab.Lab) error {
	absent := &unstructured.Unstructured{}
	absent.SetGroupVersionKind(schema.GroupVersionKind{Group: "absent.example.com", Version: "v1", Kind: "Absent"})
	for _, c := range []struct {
		title  string
		object client.Object
		as     scenario.Wrap
	}{
		{"A kind that is not served", absent, nil},
		{"ConfigMaps, as a user who may not list them", &corev1.ConfigMap{}, nobody},
	} {
		l.Say("%s:", c.title)
		if err := t.neverSynced(ctx, l, c.object, c.as); err != nil {
			return err
		}
	}
	l.Conclude("Until the time is over nothing runs, and what is wrong is in lines of the log that are no error of " +
		"the controller's. Then Start returns one, and the program ends. In a Pod, that is a restart every two " +
		"minutes.")
	return nil
}

// nobody sends requests as a user who has no rights.
func nobody(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Header.Set("Impersonate-User", "nobody")
		return next.RoundTrip(r)
	})
}

// neverSynced starts a manager whose controller waits for a cache in vain, and shows what is said.
func (t *tour) neverSynced(ctx context.Context, l *lab.Lab, object client.Object, as scenario.Wrap) error {
	record := opened.New()
	opened.Global(record)
	defer opened.Global(nil)
	var between []scenario.Wrap
	if as != nil {
		between = append(between, as)
	}
	m, err := t.manager(l, record, nil, between...)
	if err != nil {
		return err
	}
	err = builder.ControllerManagedBy(m).Named("waiting").For(object).
		WithOptions(controller.Options{CacheSyncTimeout: time.Second}).
		Complete(record.Reconciler("waiting", reconcile.Func(nothing)))
	if err != nil {
		return err
	}
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	err = running.Wait(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return errors.New("the manager has ended without an error")
	}
	for _, message := range []string{"if kind is a CRD", "Failed to watch", "Could not wait for Cache to sync"} {
		for _, e := range record.Events(opened.Log) {
			if logged(message)(e) {
				l.WireWhole(strings.TrimSpace(e.Name+" "+e.What) + ": " + value(e, "error"))
				break // it is said again with each try
			}
		}
	}
	l.WireWhole("Start returned: " + err.Error())
	return nil
}

// lostLease is -fault lost-lease: the Lease can't be renewed, while a run is under way.
func (t *tour) lostLease(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := world.SourceQuietly(ctx, "menu", "soup"); err != nil {
		return err
	}
	record, cut := opened.New(), make(chan struct{})
	m, err := t.manager(l, record, func(o *manager.Options) {
		elected(o, l, "lost")
		o.LeaseDuration, o.RenewDeadline = ptr.To(2*time.Second), ptr.To(time.Second)
		o.LeaderElectionReleaseOnCancel = false // or it would try that first, for as long again
	}, aboutLeases(cut))
	if err != nil {
		return err
	}
	ends := make(chan struct{})
	err = t.watching(m, record, "long", controller.Options{}, func(ctx context.Context, _ reconcile.Request) (
		r reconcile.Result, err error) {
		<-ctx.Done()
		record.Note(opened.Event{Part: opened.Reconcilers, Name: "long", What: "is told to stop"})
		<-ends
		return r, nil
	})
	if err != nil {
		return err
	}
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	defer close(ends)
	if _, err := record.Await(ctx, happened(opened.Reconcilers, "long", "runs")); err != nil {
		return err
	}
	l.Became("the manager has the Lease, and a run is under way")
	close(cut)
	l.Sent("from now on, no answer to what is about the Lease")
	begin := time.Now()
	err = running.Wait(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return errors.New("the manager has ended without an error")
	}
	l.Wire("after %s, Start returned: %v", time.Since(begin).Round(100*time.Millisecond), err)
	if _, err := record.Await(ctx, happened(opened.Reconcilers, "long", "is told to stop")); err != nil {
		return err
	}
	l.Became("the run was told to stop; it has not returned: %t", count(record, happened(opened.Reconcilers, "long",
		"returns")) == 0)
	l.Conclude("Start does not wait for runs when the Lease is lost: another manager may have it a moment later. " +
		"The program has to exit at once, or the run goes on writing. RenewDeadline is how long it believed in its " +
		"Lease.")
	return nil
}

// aboutLeases lets nothing pass that is about Leases once it is cut.
func aboutLeases(cut <-chan struct{}) scenario.Wrap {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if !strings.Contains(r.URL.Path, "/leases") {
				return next.RoundTrip(r)
			}
			select {
			case <-cut:
				<-r.Context().Done()
				return nil, r.Context().Err()
			default:
				return next.RoundTrip(r)
			}
		})
	}
}

// sameName is -fault same-name.
func (t *tour) sameName(_ context.Context, l *lab.Lab) error {
	record := opened.New()
	add := func(skip bool) error {
		l.Sent("controller.New(%q, manager, controller.Options{SkipNameValidation: %t})", l.Namespace, skip)
		m, err := t.manager(l, record, nil)
		if err != nil {
			return err
		}
		_, err = controller.New(l.Namespace, m, controller.Options{SkipNameValidation: ptr.To(skip),
			Reconciler: reconcile.Func(nothing)})
		if err != nil {
			l.WireWhole(err.Error())
			return nil
		}
		l.Wire("a controller")
		return nil
	}
	err := do(
		func() error { return add(false) },
		func() error { return add(false) },
		func() error { return add(true) },
	)
	if err != nil {
		return err
	}
	l.Conclude("The name is in the metrics and the log, and two of one name would be counted as one. It is taken " +
		"for the rest of the process, in any manager, and also if the first never ran: tests meet this first.")
	return nil
}

// filtered is a controller of the fault generation, and how many of its runs have been shown.
type filtered struct {
	name   string
	filter predicate.Predicate
	shown  int
}

// generation is -fault generation: a predicate that fits other kinds.
func (t *tour) generation(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	record := opened.New()
	m, err := t.manager(l, record, nil)
	if err != nil {
		return err
	}
	all := &filtered{name: "all", filter: predicate.Funcs{}}
	byGeneration := &filtered{name: "by generation", filter: predicate.GenerationChangedPredicate{}}
	for _, c := range []*filtered{all, byGeneration} {
		err := builder.ControllerManagedBy(m).Named(c.name).For(&corev1.ConfigMap{}).WithEventFilter(c.filter).
			Complete(record.Reconciler(c.name, reconcile.Func(nothing)))
		if err != nil {
			return err
		}
	}
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	rows := [][]string{{"runs after", "no predicate", "GenerationChangedPredicate"}}
	for _, event := range []struct {
		name   string
		happen func() error
		heard  []*filtered // who is waited for
	}{
		{"the first list", func() error { return nil }, []*filtered{all, byGeneration}},
		{"other data", func() error { return world.Patch(ctx, "home", "menu", before.Today("stew")) },
			[]*filtered{all}},
		// It comes behind the change, on the same watch: so nobody is waited for in vain.
		{"a deletion", func() error { return world.Delete(ctx, "home", "menu") }, []*filtered{all, byGeneration}},
	} {
		if err := event.happen(); err != nil {
			return err
		}
		for _, c := range event.heard {
			if err := before.Until(ctx, func() bool { return c.runs(record) > c.shown }); err != nil {
				return err
			}
		}
		rows = append(rows, []string{event.name, all.fresh(record), byGeneration.fresh(record)})
	}
	l.Table(rows...)
	l.Conclude("A ConfigMap has no generation: it is 0 before and after, and the predicate drops each update. A " +
		"predicate is asked before the queue, and nobody counts what it drops.")
	return nil
}

func (c *filtered) runs(record *opened.Record) int {
	return count(record, happened(opened.Reconcilers, c.name, "returns"))
}

// fresh is how many runs there were since the last time.
func (c *filtered) fresh(record *opened.Record) string {
	n := c.runs(record) - c.shown
	c.shown += n
	return fmt.Sprint(n)
}
