package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// replica is one of several managers that want the same Lease.
type replica struct {
	name    string
	record  *opened.Record
	running *scenario.Running
}

// standby is step 5: who has the Lease, who has not, and what each holds.
func (t *tour) standby(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, nil)
	if err != nil {
		return err
	}
	if err := world.SourceQuietly(ctx, "replicated", "soup"); err != nil {
		return err
	}
	var all scenario.All
	defer all.Stop()
	leader, err := t.replica(ctx, l, &all, "the first, which has the Lease", false)
	if err != nil {
		return err
	}
	if _, err := leader.record.Await(ctx, happened(opened.Reconcilers, "replica", "returns")); err != nil {
		return err
	}
	second, err := t.replica(ctx, l, &all, "the second, which waits", false)
	if err != nil {
		return err
	}
	third, err := t.replica(ctx, l, &all, "the third, with EnableWarmup", true)
	if err != nil {
		return err
	}
	if err := settled(ctx, second, third); err != nil {
		return err
	}
	rows := [][]string{{"manager", "cache", "informers", "watches", "GETs, PUTs of the Lease", "runs"}}
	for _, r := range []*replica{leader, second, third} {
		rows = append(rows, r.row())
	}
	l.Table(rows...)
	if err := third.running.Stop(); err != nil { // or nobody could say which of two takes over
		return err
	}
	err = takesOver(ctx, l, leader, second, "the first is stopped, and gives the Lease back", "the second",
		"writes its name into the Lease", "makes an informer", "watches", "makes its first run")
	if err != nil {
		return err
	}
	if third, err = t.replica(ctx, l, &all, "the third", true); err != nil {
		return err
	}
	if err := settled(ctx, third); err != nil {
		return err
	}
	err = takesOver(ctx, l, second, third, "the second is stopped; the third waits again, with its cache filled",
		"the third", "writes its name into the Lease", "makes its first run")
	if err != nil {
		return err
	}
	l.Conclude("Leader election keeps a standby's controllers from starting, and with them their watches. It is " +
		"cheap, and slow to take over: it fills its caches first. EnableWarmup fills them before.")
	return nil
}

// replica starts a manager that wants the Lease.
func (t *tour) replica(ctx context.Context, l *lab.Lab, all *scenario.All, name string, warm bool) (*replica, error) {
	r := &replica{name: name, record: opened.New()}
	m, err := t.manager(l, r.record, func(o *manager.Options) { elected(o, l, "replicas") })
	if err != nil {
		return nil, err
	}
	err = t.watching(m, r.record, "replica", controller.Options{EnableWarmup: ptr.To(warm)}, nothing)
	if err != nil {
		return nil, err
	}
	r.running = all.Run(ctx, m.Start)
	return r, nil
}

// settled waits until each has asked for the Lease three times, and the last, which is warm, holds a watch.
func settled(ctx context.Context, standbys ...*replica) error {
	for _, r := range standbys {
		asked := 0
		_, err := r.record.Await(ctx, func(e opened.Event) bool {
			if requested("GET leases/")(e) {
				asked++
			}
			return asked == 3
		})
		if err != nil {
			return err
		}
	}
	_, err := standbys[len(standbys)-1].record.Await(ctx, requested("GET configmaps, a watch"))
	return err
}

// row is what a replica holds.
func (r *replica) row() []string {
	started := "not started"
	if count(r.record, happened(opened.Caches, "the cache", "starts")) > 0 {
		started = "started"
	}
	of := func(so func(opened.Event) bool) string { return fmt.Sprint(count(r.record, so)) }
	return []string{r.name, started, of(happened(opened.Informers, "*v1.ConfigMap", "runs")),
		of(requested("GET configmaps, a watch")), of(requested("GET leases/")) + ", " + of(requested("PUT leases/")),
		of(happened(opened.Reconcilers, "replica", "runs"))}
}

// inATakeover are what may happen to a standby when the Lease is free.
var inATakeover = map[string]func(opened.Event) bool{
	"writes its name into the Lease": requested("PUT leases/"),
	"makes an informer":              happened(opened.Informers, "*v1.ConfigMap", "is made"),
	"watches":                        requested("GET configmaps, a watch"),
	"makes its first run":            happened(opened.Reconcilers, "replica", "runs"),
}

// takesOver stops a leader, and shows when a standby does what.
func takesOver(ctx context.Context, l *lab.Lab, leader, standby *replica, why, name string, whats ...string) error {
	standby.record.Restart()
	l.Sent("%s", why)
	if err := leader.running.Stop(); err != nil {
		return err
	}
	if _, err := standby.record.Await(ctx, happened(opened.Reconcilers, "replica", "returns")); err != nil {
		return err
	}
	for _, what := range whats {
		e, err := standby.record.Await(ctx, inATakeover[what])
		if err != nil {
			return err
		}
		l.Became("%8s  %s %s", strings.TrimSpace(e.At.Round(time.Millisecond).String()), name, what)
	}
	return nil
}
