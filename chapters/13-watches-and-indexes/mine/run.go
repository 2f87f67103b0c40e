package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is how long something may take that should come.
type run struct{ patience time.Duration }

func known() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	return all
}

// user is a client that asks the API server itself.
func user(l *lab.Lab) (client.Client, error) {
	return client.New(&rest.Config{Host: l.Server.String(), QPS: -1},
		client.Options{HTTPClient: l.HTTPClient(), Scheme: known()})
}

// managed makes a manager whose cache has what is in the run's namespace. Its queues are without priorities.
func managed(l *lab.Lab) (manager.Manager, error) {
	return manager.New(running.Access(l), manager.Options{
		Scheme: known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true), UsePriorityQueue: ptr.To(false)},
		Cache: cache.Options{NewInformer: running.Drained(nil),
			DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}},
	})
}

// nothing is a run that finds all right.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// write is something that somebody does to an object, and the keys that should come of it.
type write struct {
	what string
	o    client.Object
	do   func(context.Context) error
	gone bool
	keys string
}

// play has a manager run, and somebody write. It compares the keys that a handler adds with those that it should.
func (r run) play(ctx context.Context, l *lab.Lab, m manager.Manager, log *scenario.Log, by, exercise string,
	writes []write) error {
	started := running.Run(ctx, m.Start)
	defer func() { _ = started.Stop() }()
	rows := [][]string{{"", "keys"}}
	for _, w := range writes {
		if err := w.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		limited, cancel := context.WithTimeout(ctx, r.patience)
		heard, err := log.Await(limited, by, scenario.Since(w.o, w.gone))
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
		got := scenario.Names(heard.Keys)
		rows = append(rows, []string{w.what, got})
		if got != w.keys {
			l.Table(rows...)
			return wrong(exercise, "%s: the keys should be %s, and are %s", w.what, w.keys, got)
		}
	}
	l.Table(rows...)
	return started.Stop()
}

// wrong is an error that says who knows more.
func wrong(exercise, format string, args ...any) error {
	return fmt.Errorf("%s\nmake grade EX=%s says more", fmt.Sprintf(format, args...), exercise)
}
