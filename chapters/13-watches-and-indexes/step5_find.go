package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// asked is how often step 5 asks in each way. The fastest answer is shown.
const asked = 5

// way is one to find the Processes that use a ConfigMap.
type way struct {
	name string
	ask  func(ctx context.Context, name string, into *v1alpha1.ProcessList) error
}

// find is step 5: the same question, asked in five ways.
func (t *tour) find(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	if err := t.makeMany(ctx, l, over); err != nil {
		return err
	}
	var informer toolscache.SharedIndexInformer
	cost := &scenario.Cost{}
	m, err := managed(l, func(o *manager.Options) {
		made := o.Cache.NewInformer
		o.Cache.NewInformer = func(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers toolscache.Indexers) toolscache.SharedIndexInformer {
			informer = made(from, example, resync, indexers) // there is one kind, in one namespace
			return informer
		}
	}, cost.Between(nil))
	if err != nil {
		return err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if err := answers(ctx, m); err != nil {
		return err
	}
	if err := m.GetClient().List(ctx, &v1alpha1.ProcessList{}); err != nil { // which fills the cache
		return err
	}
	empty := scenario.Heap()
	if err := m.GetFieldIndexer().IndexField(ctx, &v1alpha1.Process{}, "uses", scenario.Used); err != nil {
		return err
	}
	index := scenario.Heap() - empty
	ours := routing.NewIndexed(informer, v1alpha1.GroupVersion.WithKind("Process"))
	if err := ours.IndexField(ctx, &v1alpha1.Process{}, "uses", scenario.Used); err != nil {
		return err
	}
	rows := [][]string{{"", fmt.Sprintf("requests for %d lookups", asked), "found", "a lookup takes"}}
	for _, w := range waysToFind(l, m, ours) {
		row, err := w.measured(ctx, cost)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Became("the index takes %s of heap for %d objects, %d bytes each", kilo(index), t.objects, index/int64(t.objects))
	l.Conclude("A cache has two indexes by itself, by key and by namespace. Labels select among all that is left: each object is " +
		"looked at. An index of a field answers with what stands under a value, however many others there are.")
	return started.Stop()
}

// waysToFind are those of step 5, the fastest last.
func waysToFind(l *lab.Lab, m manager.Manager, ours client.Reader) []way {
	in := client.InNamespace(l.Namespace)
	list := func(by client.Reader, option func(name string) client.ListOption) func(context.Context, string,
		*v1alpha1.ProcessList) error {
		return func(ctx context.Context, name string, into *v1alpha1.ProcessList) error {
			return by.List(ctx, into, in, option(name))
		}
	}
	label := func(name string) client.ListOption { return client.MatchingLabels{scenario.Label: name} }
	field := func(name string) client.ListOption { return client.MatchingFields{"uses": name} }
	return []way{
		{"the API server, by a label", list(m.GetAPIReader(), label)},
		{"the cache, all of it, and a loop", func(ctx context.Context, name string, into *v1alpha1.ProcessList) error {
			var all v1alpha1.ProcessList
			if err := m.GetClient().List(ctx, &all, in); err != nil {
				return err
			}
			into.Items = nil
			for _, p := range all.Items {
				if used := scenario.Used(&p); len(used) == 1 && used[0] == name {
					into.Items = append(into.Items, p)
				}
			}
			return nil
		}},
		{"the cache, by a label", list(m.GetClient(), label)},
		{"the cache, by an index", list(m.GetClient(), field)},
		{"the book's, by an index", list(ours, field)},
	}
}

// measured asks some times.
func (w way) measured(ctx context.Context, cost *scenario.Cost) ([]string, error) {
	sent, _ := cost.Requests()
	var fastest time.Duration
	var into v1alpha1.ProcessList
	for i := range asked {
		began := time.Now()
		if err := w.ask(ctx, fmt.Sprintf("config-%d", i), &into); err != nil {
			return nil, err
		}
		if took := time.Since(began); i == 0 || took < fastest {
			fastest = took
		}
		if len(into.Items) != scenario.Users {
			return nil, fmt.Errorf("%s: found %d of %d", w.name, len(into.Items), scenario.Users)
		}
	}
	now, _ := cost.Requests()
	return []string{w.name, fmt.Sprint(now - sent), fmt.Sprint(len(into.Items)), short(fastest)}, nil
}
