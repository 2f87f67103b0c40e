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
	second.record.Restart()
	l.Sent("the first is stopped, and gives the Lease back")
	if err := leader.running.Stop(); err != nil {
		return err
	}
	if err := takesOver(ctx, l, second); err != nil {
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

// settled waits until the second has asked for the Lease three times, and the third holds a watch.
func settled(ctx context.Context, second, third *replica) error {
	asked := 0
	_, err := second.record.Await(ctx, func(e opened.Event) bool {
		if requested("GET leases/")(e) {
			asked++
		}
		return asked == 3
	})
	if err != nil {
		return err
	}
	_, err = third.record.Await(ctx, requested("GET configmaps, a watch"))
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

// takesOver shows what the second does when the Lease is free.
func takesOver(ctx context.Context, l *lab.Lab, second *replica) error {
	if _, err := second.record.Await(ctx, happened(opened.Reconcilers, "replica", "returns")); err != nil {
		return err
	}
	steps := []struct {
		what string
		so   func(opened.Event) bool
	}{
		{"writes its name into the Lease", requested("PUT leases/")},
		{"makes an informer", happened(opened.Informers, "*v1.ConfigMap", "is made")},
		{"watches", requested("GET configmaps, a watch")},
		{"makes its first run", happened(opened.Reconcilers, "replica", "runs")},
	}
	for _, s := range steps {
		e, err := second.record.Await(ctx, s.so)
		if err != nil {
			return err
		}
		l.Became("%8s  the second %s", strings.TrimSpace(e.At.Round(time.Millisecond).String()), s.what)
	}
	return nil
}
