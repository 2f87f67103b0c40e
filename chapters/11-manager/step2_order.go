package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moment is something that happens while a manager starts or stops.
type moment struct {
	at    time.Duration
	name  string
	event func(opened.Event) bool
}

// starting are the moments that are looked for at the start, in no order: what comes first is to be seen.
func starting() []moment {
	return []moment{
		{name: "the controller's informer runs", event: happened(opened.Informers, "*v1.ConfigMap", "runs")},
		{name: "the Lease is asked for", event: requested("GET leases/")},
		{name: "a runnable with a warmup warms up", event: happened(opened.Runnables, withWarmup, "warms up")},
		{name: "a runnable of every replica starts", event: happened(opened.Runnables, ofEveryReplica, "starts")},
		{name: "the cache has synced", event: happened(opened.Caches, "the cache", "has synced")},
		{name: "the cache starts", event: happened(opened.Caches, "the cache", "starts")},
		{name: "the webhook server starts", event: happened(opened.Runnables, webhookServer, "starts")},
		{name: "the health server starts", event: happened(opened.Runnables, healthServer, "starts")},
	}
}

// stopping are those at the end.
func stopping() []moment {
	return []moment{
		{name: "the health server has stopped", event: happened(opened.Runnables, healthServer, "has stopped")},
		{name: "the webhook server has stopped", event: happened(opened.Runnables, webhookServer, "has stopped")},
		{name: "the cache has stopped", event: happened(opened.Caches, "the cache", "has stopped")},
		{name: "the controller's informer has stopped",
			event: happened(opened.Informers, "*v1.ConfigMap", "has stopped")},
		{name: "a runnable of the leader has stopped", event: happened(opened.Runnables, ofLeader, "has stopped")},
		{name: "a runnable of every replica has stopped",
			event: happened(opened.Runnables, ofEveryReplica, "has stopped")},
	}
}

// What the recorders are called.
const (
	healthServer   = "the health server"
	webhookServer  = "the webhook server"
	ofEveryReplica = "a runnable of every replica"
	withWarmup     = "a runnable with a warmup"
	ofLeader       = "a runnable of the leader"
)

// lingers is how long the leader's runnable goes on after it is told to stop.
const lingers = 50 * time.Millisecond

// order is step 2: a manager starts, and stops.
func (t *tour) order(ctx context.Context, l *lab.Lab) error {
	usual, err := t.usual(ctx, l)
	if err != nil {
		return err
	}
	show := func(moments []moment) {
		for _, m := range moments {
			l.Became("%9s  %s", m.at.Round(10*time.Microsecond), m.name)
		}
	}
	show(usual.starts)
	l.Sent("the manager's context ends; the runnable of the leader takes %s to stop", lingers)
	show(usual.stops)
	l.Conclude("Servers come first and go last. A controller comes last: it needs filled caches, and the Lease. At " +
		"the end each group is waited for before the next is told to stop, and the Lease is given back after all of " +
		"them.")
	return nil
}

// At least so many recordings are compared, and at most so many are made.
const (
	fewest = 7
	most   = 21
)

// recording is when a manager started its parts, and when it stopped them.
type recording struct{ starts, stops []moment }

// names are the moments in their order.
func (r recording) names() (all []string) {
	for _, m := range slices.Concat(r.starts, r.stops) {
		all = append(all, m.name)
	}
	return all
}

// usual plays it several times, and returns a recording that has the order of most. The manager starts nearly all parts
// as goroutines that it does not wait for, so that on a machine with much to do one of them may be late.
func (t *tour) usual(ctx context.Context, l *lab.Lab) (recording, error) {
	var all []recording
	for len(all) < most {
		starts, stops, err := t.startAndStop(ctx, l)
		if err != nil {
			return recording{}, err
		}
		all = append(all, recording{starts, stops})
		if len(all) < fewest {
			continue
		}
		order := majority(all)
		for _, r := range all {
			if slices.Equal(r.names(), order) {
				return r, nil
			}
		}
	}
	return recording{}, errors.New("no manager started its parts in the order in which most did")
}

// majority is the order in which each moment comes before those that it precedes in most recordings.
func majority(all []recording) []string {
	precedes := map[[2]string]int{}
	for _, r := range all {
		names := r.names()
		for i, first := range names {
			for _, second := range names[i+1:] {
				precedes[[2]string{first, second}]++
			}
		}
	}
	order := all[0].names()
	wins := map[string]int{}
	for _, first := range order {
		for _, second := range order {
			if 2*precedes[[2]string{first, second}] > len(all) {
				wins[first]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return wins[b] - wins[a] })
	return order
}

// startAndStop plays it once.
func (t *tour) startAndStop(ctx context.Context, l *lab.Lab) (starts, stops []moment, err error) {
	record := opened.New()
	m, err := t.manager(l, record, func(o *manager.Options) {
		elected(o, l, "order")
		o.RetryPeriod = ptr.To(2 * time.Second) // so that nothing but its end writes the Lease again
		o.WebhookServer = opened.Webhooks{Runnable: opened.Runnable{Record: record, Name: webhookServer}}
	})
	if err != nil {
		return nil, nil, err
	}
	m.GetWebhookServer() // a manager that nobody asks for it starts none
	health, err := record.Server(healthServer, nil)
	if err != nil {
		return nil, nil, err
	}
	named := func(name string) opened.Runnable { return opened.Runnable{Record: record, Name: name} }
	last := named(ofLeader)
	last.Lasts = lingers
	err = do(
		func() error { return t.watching(m, record, "order", controller.Options{}, nothing) },
		func() error { return m.Add(last) },
		func() error { return m.Add(opened.Warm{Runnable: named(withWarmup)}) },
		func() error { return m.Add(opened.Everywhere{Runnable: named(ofEveryReplica)}) },
		func() error { return m.Add(health) },
	)
	if err != nil {
		return nil, nil, err
	}
	record.Restart()
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	if starts, err = awaitAll(ctx, record, starting()); err != nil {
		return nil, nil, err
	}
	record.Restart()
	if err := running.Stop(); err != nil {
		return nil, nil, err
	}
	stops, err = awaitAll(ctx, record, append(stopping(),
		moment{name: "the Lease is given back", event: requested("PUT leases/")}))
	return starts, stops, err
}

// awaitAll waits until all moments have come, and returns them in their order.
func awaitAll(ctx context.Context, record *opened.Record, moments []moment) (came []moment, err error) {
	for _, m := range moments {
		e, err := record.Await(ctx, m.event)
		if err != nil {
			return nil, fmt.Errorf("waiting until %s: %w", m.name, err)
		}
		m.at = e.At
		came = append(came, m)
	}
	slices.SortStableFunc(came, func(a, b moment) int { return int(a.at - b.at) })
	return came, nil
}
