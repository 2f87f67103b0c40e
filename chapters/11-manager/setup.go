package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct{ parts parts }

// parts is the value of -parts: the name of what a manager runs on.
type parts struct{ name string }

// String implements flag.Value.
func (p *parts) String() string {
	if p.name == "" {
		return "upstream"
	}
	return p.name
}

// Set implements flag.Value.
func (p *parts) Set(name string) error {
	if name != "upstream" && name != "book" {
		return fmt.Errorf("%q is neither upstream nor book", name)
	}
	p.name = name
	return nil
}

func (p *parts) made() managed.Parts {
	if p.name == "book" {
		return managed.Book()
	}
	return managed.Upstream()
}

// manager makes a manager whose cache has the ConfigMaps of the run, on the parts that were chosen. Everything in it
// that can be recorded is. It is made over what is put between it and the server, and as it is changed.
func (t *tour) manager(l *lab.Lab, record *opened.Record, change func(*manager.Options), between ...scenario.Wrap) (
	manager.Manager, error) {
	options := manager.Options{
		Logger:     record.Logger(),
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, // those of other steps have the same names
		NewCache:   record.NewCache(nil),
		Cache: cache.Options{
			NewInformer: record.NewInformer(scenario.Drained(t.parts.made().NewInformer)),
			ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {
				Label: labels.SelectorFromSet(labels.Set{mirror.Group: l.Namespace})}},
		},
	}
	if change != nil {
		change(&options)
	}
	return manager.New(scenario.Access(l, append(between, record.Transport(""))...), options)
}

// elected has a manager wait for a Lease, and be quick about it.
func elected(o *manager.Options, l *lab.Lab, name string) {
	o.LeaderElection, o.LeaderElectionReleaseOnCancel = true, true
	o.LeaderElectionNamespace, o.LeaderElectionID = l.Namespace, name
	o.LeaseDuration, o.RenewDeadline = ptr.To(6*time.Second), ptr.To(4*time.Second)
	o.RetryPeriod = ptr.To(200 * time.Millisecond)
}

// watching gives a manager a controller of the ConfigMaps that it caches.
func (t *tour) watching(m manager.Manager, record *opened.Record, name string, options controller.Options,
	run reconcile.Func) error {
	options.NewQueue = record.NewQueue(t.parts.made().NewQueue)
	return builder.ControllerManagedBy(m).Named(name).For(&corev1.ConfigMap{}).WithOptions(options).
		Complete(record.Reconciler(name, run))
}

// keys is a source that adds these keys, and hears of nothing.
func keys(names ...string) source.Source {
	return source.Func(func(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		for _, name := range names {
			q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Name: name}})
		}
		return nil
	})
}

// nothing is a run that finds all right.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// happened finds an event by its part, its name and how it begins to say what happened.
func happened(part opened.Part, name, what string) func(opened.Event) bool {
	return func(e opened.Event) bool {
		return e.Part == part && e.Name == name && strings.HasPrefix(e.What, what)
	}
}

// logged finds a line of the log by a piece of its message.
func logged(message string) func(opened.Event) bool {
	return func(e opened.Event) bool { return e.Part == opened.Log && strings.Contains(e.What, message) }
}

// value is what a line of the log says under a key.
func value(e opened.Event, key string) string {
	_, rest, _ := strings.Cut(" "+e.Item, " "+key+"=")
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return ""
	}
	text, _ := strconv.Unquote(quoted) // it is quoted
	return text
}

// requested finds a request.
func requested(what string) func(opened.Event) bool { return happened(opened.Requests, "", what) }

// cutWatch is what a watch is of, if the event is that one is asked for.
func cutWatch(what string) (of string, ok bool) {
	of, ok = strings.CutPrefix(what, "GET ")
	return of, ok && strings.Contains(of, ", a watch")
}

// count is how many events are so.
func count(record *opened.Record, so func(opened.Event) bool) (n int) {
	for _, e := range record.Events() {
		if so(e) {
			n++
		}
	}
	return n
}

// do calls functions until one fails.
func do(all ...func() error) error {
	for _, f := range all {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}
