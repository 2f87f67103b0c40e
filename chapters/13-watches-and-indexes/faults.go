package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	held "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// What -fault everything makes.
const (
	secrets    = 300
	secretSize = 8 * 1024
)

// everything is -fault everything: a run that reads one Secret by its name, of a client that reads from a cache.
func everything(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	l.Say("%d Secrets of %s each are made first, other people's.", secrets, kilo(secretSize))
	err = scenario.Several(secrets, func(i int) error {
		return over.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace,
			Name: fmt.Sprintf("secret-%d", i)}, Data: map[string][]byte{"it": make([]byte, secretSize)}})
	})
	if err != nil {
		return err
	}
	key := client.ObjectKey{Namespace: l.Namespace, Name: "secret-7"}
	named := fields.OneTermEqualSelector("metadata.name", key.Name)
	one := map[client.Object]cache.ByObject{&corev1.Secret{}: {Field: named}}
	rows := [][]string{{"who reads secret-7", "asks the API server for", "bytes", "heap"}}
	for _, r := range []struct {
		name   string
		change func(*manager.Options)
		by     func(manager.Manager) client.Reader
	}{
		{"the manager's client", nil, func(m manager.Manager) client.Reader { return m.GetClient() }},
		{"one that caches no Secrets (DisableFor)", func(o *manager.Options) {
			o.Client.Cache = &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}
		}, func(m manager.Manager) client.Reader { return m.GetClient() }},
		{"the APIReader", nil, func(m manager.Manager) client.Reader { return m.GetAPIReader() }},
		{"one whose cache has it alone (ByObject)", func(o *manager.Options) { o.Cache.ByObject = one },
			func(m manager.Manager) client.Reader { return m.GetClient() }},
	} {
		row, err := readOne(ctx, l, key, r.change, r.by)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		rows = append(rows, append([]string{r.name}, row...))
	}
	l.Table(rows...)
	l.Conclude("A read of one object fills a cache with all of its kind, and keeps it full for as long as the manager runs. Nothing " +
		"in the program says so. How much memory that is, is decided by whoever makes Secrets.")
	return nil
}

// readOne starts a manager and has one Secret read. It is what was asked for, how much came, and what is kept.
func readOne(ctx context.Context, l *lab.Lab, key client.ObjectKey, change func(*manager.Options),
	by func(manager.Manager) client.Reader) ([]string, error) {
	cost := &scenario.Cost{}
	m, err := managed(l, change, cost.Between(nil))
	if err != nil {
		return nil, err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if err := answers(ctx, m); err != nil {
		return nil, err
	}
	if _, err := m.GetRESTMapper().RESTMapping(corev1.SchemeGroupVersion.WithKind("Secret").GroupKind()); err != nil {
		return nil, err // which asks for the kinds that there are, whoever reads
	}
	before, empty := cost.Bytes(), scenario.Heap()
	if err := by(m).Get(ctx, key, &corev1.Secret{}); err != nil {
		return nil, err
	}
	bytes, heap := cost.Bytes()-before, max(0, scenario.Heap()-empty)
	_, watches := cost.Requests()
	asks := map[bool]string{true: "a watch of all", false: "the one, once"}[watches > 0]
	if watches > 0 && change != nil {
		asks = "a watch of the one"
	}
	return []string{asks, kilo(bytes), kilo(heap)}, started.Stop()
}

// noGeneration is -fault generation: a predicate that drops what its author takes for a change.
func noGeneration(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	m, err := managed(l, nil)
	if err != nil {
		return err
	}
	log := scenario.NewLog(nil)
	predicates := map[string]predicate.Predicate{
		"GenerationChanged": routing.GenerationChanged(), "ResourceVersionChanged": routing.ResourceVersionChanged()}
	for name, p := range predicates {
		for _, kind := range []client.Object{&corev1.ConfigMap{}, &v1alpha1.Process{}} {
			name := fmt.Sprintf("%T %s", kind, name)
			err := builder.ControllerManagedBy(m).Named(name).
				Watches(kind, log.Handler(name, routing.Object()), builder.WithPredicates(p)).
				Complete(reconcile.Func(nothing))
			if err != nil {
				return err
			}
		}
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	menu, cook := scenario.ConfigMap(l.Namespace, "menu", "soup"), scenario.Process(l.Namespace, "cook")
	rows := [][]string{{"", "GenerationChanged", "ResourceVersionChanged"}}
	for _, w := range []struct {
		what string
		o    client.Object
		do   func() error
	}{
		{"ConfigMap menu is created", menu, func() error { return over.Create(ctx, menu) }},
		{"its data is stew now", menu, func() error { menu.Data["today"] = "stew"; return over.Update(ctx, menu) }},
		{"Process cook is created", cook, func() error { return over.Create(ctx, cook) }},
		{"its status says that it has failed", cook, func() error {
			cook.Status.Phase = v1alpha1.PhaseFailed
			return over.Status().Update(ctx, cook)
		}},
	} {
		if err := w.do(); err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		row := []string{w.what}
		for _, p := range rows[0][1:] {
			told, err := tells(ctx, over, log, fmt.Sprintf("%T %s", w.o, p), w.o)
			if err != nil {
				return err
			}
			row = append(row, map[bool]string{true: "a run", false: "-"}[told])
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("A ConfigMap has no generation, and a status does not count in one. Such a controller passes each test that creates " +
		"something, and sleeps through what happens later.")
	return started.Stop()
}

// tells says whether a handler is told of an object as it is now. What is told later, it is told later: something is
// created, and waited for.
func tells(ctx context.Context, over client.Client, log *scenario.Log, by string, o client.Object) (bool, error) {
	mark := o.DeepCopyObject().(client.Object)
	mark.SetName("")
	mark.SetGenerateName("mark-")
	mark.SetResourceVersion("")
	mark.SetUID("")
	if err := over.Create(ctx, mark); err != nil {
		return false, err
	}
	if _, err := log.Await(ctx, by, scenario.Since(mark, false)); err != nil {
		return false, err
	}
	return log.Has(by, scenario.Since(o, false)), nil
}

// noIndex is -fault no-index: a map function that asks for a field of which there is no index.
func noIndex(ctx context.Context, l *lab.Lab) error {
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	north, menu := scenario.ProcessSet(l.Namespace, "north", "menu"), scenario.ConfigMap(l.Namespace, "menu", "soup")
	if err := over.Create(ctx, north); err != nil {
		return err
	}
	rows := [][]string{{"", "keys when menu changes"}}
	for _, indexed := range []bool{false, true} {
		m, err := managed(l, nil)
		if err != nil {
			return err
		}
		if indexed {
			if err := m.GetFieldIndexer().IndexField(ctx, &v1alpha1.ProcessSet{}, "uses", scenario.Used); err != nil {
				return err
			}
		}
		log := scenario.NewLog(nil)
		err = builder.ControllerManagedBy(m).Named("sets").Watches(&v1alpha1.ProcessSet{}, routing.Object()).
			Watches(&corev1.ConfigMap{}, log.Handler(watchesMaps, routing.Mapped(scenario.UsersOf(m.GetClient())))).
			Complete(reconcile.Func(nothing))
		if err != nil {
			return err
		}
		keys, asked, err := afterAChange(ctx, over, m, log, menu)
		if err != nil {
			return err
		}
		if asked != nil {
			l.Say("The map function asks the cache, and is told:")
			l.WireWhole(asked.Error())
		}
		rows = append(rows, []string{map[bool]string{false: "without the index", true: "with it"}[indexed], keys})
	}
	l.Table(rows...)
	l.Conclude("A map function returns keys and no error. This one returns none when its question fails, and the queue is as " +
		"empty as if nobody used menu. What can fail is to fail at the start, or to be logged.")
	return nil
}

// afterAChange starts a manager and changes a ConfigMap. It is the keys that come of it, and what the map function was
// told.
func afterAChange(ctx context.Context, over client.Client, m manager.Manager, log *scenario.Log,
	menu *corev1.ConfigMap) (keys string, asked, err error) {
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	if menu.UID == "" {
		err = over.Create(ctx, menu)
	} else {
		menu.Data["today"] = "stew"
		err = over.Update(ctx, menu)
	}
	if err != nil {
		return "", nil, err
	}
	heard, err := log.Await(ctx, watchesMaps, scenario.Since(menu, false))
	if err != nil {
		return "", nil, err
	}
	asked = m.GetClient().List(ctx, &v1alpha1.ProcessSetList{}, client.MatchingFields{"uses": menu.Name})
	return scenario.Names(heard.Keys), asked, started.Stop()
}

// onStandby is -fault standby: somebody who sends to a controller that does not run.
func onStandby(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"a send to", "the leader", "the standby", "which then leads"}}
	for i, c := range channels {
		row, err := sentToBoth(ctx, l, fmt.Sprintf("standby-%d", i), c.make)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		rows = append(rows, append([]string{c.name}, row...))
	}
	l.Table(rows...)
	l.Conclude("A standby starts its caches and no controllers, and so nobody receives there. Who sends from a webhook or a timer " +
		"hangs, on this replica alone, until the other one is gone. A notification that returns at once is kept until then.")
	return nil
}

// replica is a manager with a controller that has a channel.
type replica struct {
	outside
	started *running.Running
	elected <-chan struct{}
	counts  *tally
}

// sentToBoth sends to a leader and to a standby, and then ends the leader.
func sentToBoth(ctx context.Context, l *lab.Lab, lease string,
	make func(handler.EventHandler) outside) ([]string, error) {
	var both []replica
	for range 2 {
		m, err := managed(l, elected(l, lease))
		if err != nil {
			return nil, err
		}
		r := replica{counts: &tally{began: map[string]time.Time{}}, elected: m.Elected()}
		r.outside = make(r.counts.handler())
		err = builder.ControllerManagedBy(m).Named(lease).WatchesRawSource(r.outside).Complete(r.counts)
		if err != nil {
			return nil, err
		}
		r.started = running.Run(ctx, m.Start)
		defer func() { _ = r.started.Stop() }()
		if len(both) == 0 {
			select {
			case <-r.elected:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		both = append(both, r)
	}
	row := []string{both[0].sends(ctx), both[1].sends(ctx)}
	if err := both[0].started.Stop(); err != nil {
		return nil, err
	}
	select {
	case <-both[1].elected:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if row[1] == taken {
		if err := held.Until(ctx, func() bool { return both[1].counts.handled.Load() == 1 }); err != nil {
			return nil, err
		}
		return append(row, "a run"), both[1].started.Stop()
	}
	return append(row, "nothing: it was given up"), both[1].started.Stop()
}

const taken = "taken"

// sends sends one notification, and does not wait for long.
func (r replica) sends(ctx context.Context) string {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if r.send(limited, client.ObjectKey{Name: "x"}) != nil {
		return fmt.Sprintf("not within %v", patience)
	}
	return taken
}

// asking is -fault ask: a map function that asks the API server.
func asking(ctx context.Context, l *lab.Lab) error {
	const maps = 200
	over, err := somebody(ctx, l)
	if err != nil {
		return err
	}
	l.Say("%d ConfigMaps and one ProcessSet are made first.", maps)
	err = scenario.Several(maps, func(i int) error {
		return over.Create(ctx, scenario.ConfigMap(l.Namespace, fmt.Sprintf("map-%d", i), "soup"))
	})
	if err != nil {
		return err
	}
	if err := over.Create(ctx, scenario.ProcessSet(l.Namespace, "north", "map-7")); err != nil {
		return err
	}
	rows := [][]string{{"the map function asks", "its requests", "to handle all"}}
	for _, cached := range []bool{false, true} {
		row, err := routesAll(ctx, l, cached, maps)
		if err != nil {
			return err
		}
		asks := map[bool]string{false: "the API server", true: "the cache, by an index"}[cached]
		rows = append(rows, append([]string{asks}, row...))
	}
	l.Table(rows...)
	l.Conclude("A handler gets one event after another, and the next waits while a map function waits. Each start and each resync " +
		"is an event of every object. Asked of the cache, it is a lookup in memory.")
	return nil
}

// routesAll starts a manager whose controller maps ConfigMaps, and waits until it has been told of all.
func routesAll(ctx context.Context, l *lab.Lab, cached bool, maps int) ([]string, error) {
	var lists atomic.Int64
	m, err := managed(l, nil, (&scenario.Cost{}).Between(func(r *http.Request) {
		if r.URL.Query().Get("watch") == "" && strings.HasSuffix(r.URL.Path, "/processsets") {
			lists.Add(1)
		}
	}))
	if err != nil {
		return nil, err
	}
	keys := scenario.UsersOf(m.GetClient())
	if cached {
		if err := m.GetFieldIndexer().IndexField(ctx, &v1alpha1.ProcessSet{}, "uses", scenario.Used); err != nil {
			return nil, err
		}
	} else {
		keys = looksThrough(m.GetAPIReader())
	}
	var first, last time.Time // guarded by the log
	log := scenario.NewLog(func(scenario.Heard) {
		last = time.Now()
		if first.IsZero() {
			first = last
		}
	})
	err = builder.ControllerManagedBy(m).Named("sets").Watches(&v1alpha1.ProcessSet{}, routing.Object()).
		Watches(&corev1.ConfigMap{}, log.Handler(watchesMaps, routing.Mapped(keys))).Complete(reconcile.Func(nothing))
	if err != nil {
		return nil, err
	}
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	for i := range maps {
		name := fmt.Sprintf("map-%d", i)
		if _, err := log.Await(ctx, watchesMaps, func(h scenario.Heard) bool { return h.Name() == name }); err != nil {
			return nil, err
		}
	}
	if err := started.Stop(); err != nil {
		return nil, err
	}
	return []string{fmt.Sprint(lists.Load()), short(last.Sub(first))}, nil
}

// looksThrough is a map function that asks for all and keeps what it wants.
func looksThrough(over client.Reader) handler.MapFunc {
	return func(ctx context.Context, o client.Object) (keys []reconcile.Request) {
		var all v1alpha1.ProcessSetList
		if err := over.List(ctx, &all, client.InNamespace(o.GetNamespace())); err != nil {
			return nil
		}
		for i := range all.Items {
			if slices.Contains(scenario.Used(&all.Items[i]), o.GetName()) {
				keys = append(keys, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&all.Items[i])})
			}
		}
		return keys
	}
}
