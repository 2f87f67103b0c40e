package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// counter is a controller of ConfigMaps: a run counts the Processes that use one.
type counter struct {
	cached client.Reader

	lock    sync.Mutex // guards what follows
	counts  map[string]int
	changed chan struct{} // closed when there was a run
}

func newCounter(cached client.Reader) *counter {
	return &counter{cached: cached, counts: map[string]int{}, changed: make(chan struct{})}
}

// Reconcile implements reconcile.Reconciler.
func (c *counter) Reconcile(ctx context.Context, r reconcile.Request) (result reconcile.Result, err error) {
	var all v1alpha1.ProcessList
	err = c.cached.List(ctx, &all, client.InNamespace(r.Namespace), client.MatchingFields{"uses": r.Name})
	if err != nil {
		return result, err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.counts[r.Name] = len(all.Items)
	close(c.changed)
	c.changed = make(chan struct{})
	return result, nil
}

func (c *counter) count(name string) (n int, changed <-chan struct{}) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.counts[name], c.changed
}

// await waits until it has counted so many.
func (c *counter) await(ctx context.Context, name string, want int) error {
	for {
		n, changed := c.count(name)
		if n == want {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%s was to be used by %d, and not by %d: %w", name, want, n, context.Cause(ctx))
		}
	}
}

// usedMaps is a map function: the ConfigMaps that an object uses.
func usedMaps(_ context.Context, o client.Object) (keys []reconcile.Request) {
	for _, name := range scenario.Used(o) {
		key := client.ObjectKey{Namespace: o.GetNamespace(), Name: name}
		keys = append(keys, reconcile.Request{NamespacedName: key})
	}
	return keys
}

// onlyNew is what one writes who knows handler.Funcs, and not that a map function is asked twice.
func onlyNew(keys handler.MapFunc) handler.EventHandler {
	add := func(ctx context.Context, o client.Object, q routing.Queue) {
		for _, key := range keys(ctx, o) {
			q.Add(key)
		}
	}
	return handler.Funcs{
		CreateFunc:  func(ctx context.Context, e event.CreateEvent, q routing.Queue) { add(ctx, e.Object, q) },
		UpdateFunc:  func(ctx context.Context, e event.UpdateEvent, q routing.Queue) { add(ctx, e.ObjectNew, q) },
		DeleteFunc:  func(ctx context.Context, e event.DeleteEvent, q routing.Queue) { add(ctx, e.Object, q) },
		GenericFunc: func(ctx context.Context, e event.GenericEvent, q routing.Queue) { add(ctx, e.Object, q) },
	}
}

// The two controllers of step 2.
const (
	asksAboutBoth = "old and new"
	asksAboutNew  = "new alone"
)

// counters gives a manager two controllers that differ in their handler.
func counters(ctx context.Context, m manager.Manager, log *scenario.Log) (both, one *counter, err error) {
	if err := m.GetFieldIndexer().IndexField(ctx, &v1alpha1.Process{}, "uses", scenario.Used); err != nil {
		return nil, nil, err
	}
	both, one = newCounter(m.GetClient()), newCounter(m.GetClient())
	for _, c := range []struct {
		name string
		h    handler.EventHandler
		run  *counter
	}{{asksAboutBoth, routing.Mapped(usedMaps), both}, {asksAboutNew, onlyNew(usedMaps), one}} {
		err := builder.ControllerManagedBy(m).Named(c.name).
			Watches(&v1alpha1.Process{}, log.Handler(c.name, c.h)).Complete(c.run)
		if err != nil {
			return nil, nil, err
		}
	}
	return both, one, nil
}

// both is step 2: objects that no longer name what they named.
func (t *tour) both(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	m, err := managed(l, nil)
	if err != nil {
		return err
	}
	log := scenario.NewLog(nil)
	right, wrong, err := counters(ctx, m, log)
	if err != nil {
		return err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	waiter := scenario.Process(l.Namespace, "waiter", "menu")
	uses := func(names string) func(context.Context) error {
		return func(ctx context.Context) error {
			waiter.Annotations[scenario.Uses] = names
			return over.Update(ctx, waiter)
		}
	}
	rows := [][]string{{"", "keys: " + asksAboutBoth, asksAboutNew, "then count: menu, wine", "menu, wine"}}
	for _, w := range []struct {
		what       string
		do         func(context.Context) error
		menu, wine int
		gone       bool
	}{
		{"a Process uses menu", func(ctx context.Context) error { return over.Create(ctx, waiter) }, 1, 0, false},
		{"it uses menu and wine", uses("menu,wine"), 1, 1, false},
		{"it uses wine", uses("wine"), 0, 1, false},
		{"it uses nothing", uses(""), 0, 0, false},
		{"it is deleted", func(ctx context.Context) error { return over.Delete(ctx, waiter) }, 0, 0, true},
	} {
		if err := w.do(ctx); err != nil {
			return err
		}
		row := []string{w.what}
		for _, by := range []string{asksAboutBoth, asksAboutNew} {
			heard, err := log.Await(ctx, by, scenario.Since(waiter, w.gone))
			if err != nil {
				return err
			}
			row = append(row, scenario.Names(heard.Keys))
		}
		for name, n := range map[string]int{"menu": w.menu, "wine": w.wine} {
			if err := settled(ctx, name, n, right, wrong, keysIn(row[2])); err != nil {
				return err
			}
		}
		rows = append(rows, append(row, counted(right), counted(wrong)))
	}
	l.Table(rows...)
	l.Conclude("Who is no longer named hears of it only from the object as it was. A handler gets both. No run does: by then " +
		"the cache has the new one.")
	return started.Stop()
}

// settled waits until both controllers have counted, the second one if it has the key.
func settled(ctx context.Context, name string, n int, right, wrong *counter, keys []string) error {
	if err := right.await(ctx, name, n); err != nil {
		return err
	}
	if !slices.Contains(keys, name) {
		return nil
	}
	return wrong.await(ctx, name, n)
}

// keysIn are the keys of a cell.
func keysIn(cell string) []string { return strings.Split(cell, ", ") }

// counted is what a controller has counted.
func counted(c *counter) string {
	menu, _ := c.count("menu")
	wine, _ := c.count("wine")
	return fmt.Sprintf("%d, %d", menu, wine)
}
