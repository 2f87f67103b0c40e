package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	objects int  // how many Processes steps 5 and 6 have: -objects
	made    bool // whether they are there
}

// somebody applies the book's CRDs, which stay, and is a client that writes to the API server and reads from it.
func somebody(ctx context.Context, l *lab.Lab) (client.Client, error) {
	over, err := dynamic.NewForConfigAndClient(before.Config(l), l.HTTPClient())
	if err != nil {
		return nil, err
	}
	if err := install.CRDs(ctx, over); err != nil {
		return nil, err
	}
	return client.New(before.Config(l), client.Options{HTTPClient: l.HTTPClient(), Scheme: scenario.Known()})
}

// managed makes a manager whose cache has what is in the run's namespace, unless that is changed.
func managed(l *lab.Lab, change func(*manager.Options), between ...running.Wrap) (manager.Manager, error) {
	options := manager.Options{
		Scheme: scenario.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, // those of other steps have the same names
		Cache: cache.Options{NewInformer: running.Drained(nil),
			DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}},
	}
	if change != nil {
		change(&options)
	}
	return manager.New(running.Access(l, between...), options)
}

// answers waits until a manager's cache answers: one that is asked before it has started fails.
func answers(ctx context.Context, m manager.Manager) error {
	if !m.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("the manager's cache did not start: %w", context.Cause(ctx))
	}
	return nil
}

// elected has a manager wait for a Lease, and be quick about it.
func elected(l *lab.Lab, name string) func(*manager.Options) {
	return func(o *manager.Options) {
		o.LeaderElection, o.LeaderElectionReleaseOnCancel = true, true
		o.LeaderElectionNamespace, o.LeaderElectionID = l.Namespace, name
		o.LeaseDuration, o.RenewDeadline = ptr.To(6*time.Second), ptr.To(4*time.Second)
		o.RetryPeriod = ptr.To(200 * time.Millisecond)
	}
}

// nothing is a run that finds all right.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// everywhere has a manager's cache hold what is in all namespaces, which is what it does unless told otherwise.
func everywhere(o *manager.Options) { o.Cache.DefaultNamespaces = nil }

// many is the flag -objects.
func (t *tour) many(text string) (err error) {
	t.objects, err = strconv.Atoi(text)
	if err == nil && (t.objects < 100 || t.objects > 10_000) {
		err = fmt.Errorf("%d is not from 100 to 10000", t.objects)
	}
	return err
}

// makeMany makes the Processes of steps 5 and 6, once.
func (t *tour) makeMany(ctx context.Context, l *lab.Lab, over client.Client) error {
	if t.made {
		return nil
	}
	l.Say("%d Processes are made first.", t.objects)
	err := over.DeleteAllOf(ctx, &v1alpha1.Process{}, client.InNamespace(l.Namespace)) // those of other steps
	if err != nil {
		return err
	}
	if err := scenario.Many(ctx, over, l.Namespace, t.objects); err != nil {
		return err
	}
	t.made = true
	return nil
}

// short is a time with three digits.
func short(d time.Duration) string {
	for unit := time.Second; unit > time.Nanosecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.String()
}

// kilo is a number of bytes in units of 1024, or of 1024 times 1024.
func kilo(bytes int64) string {
	switch {
	case bytes < 10*1024:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/1024)
	case bytes < 1024*1024:
		return fmt.Sprintf("%d KiB", bytes/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/1024/1024)
}
