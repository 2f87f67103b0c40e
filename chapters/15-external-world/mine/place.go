package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is how long something may take that should come.
type run struct{ patience time.Duration }

// wrong is an error that says who knows more.
func wrong(exercise, format string, args ...any) error {
	return fmt.Errorf("%s\nmake grade EX=%s says more", fmt.Sprintf(format, args...), exercise)
}

// unwritten says which stage is next.
func unwritten(l *lab.Lab, stage int, exercise, happened string) {
	l.Conclude("Stage %d of %s is still to be written: %s. make grade EX=%s says more.", stage, exercise, happened, exercise)
}

// atOnce is how many starts go on at once.
const atOnce = 2

// place is a machine with a kubelet that has a piece of the reader's. Its processes end with this program at the
// latest: it holds their leash.
type place struct {
	*scenario.World
	lab      *lab.Lab
	machine  *machine.Machine
	patience time.Duration
	runs     atomic.Int64 // of the kubelet

	dir               string
	leash, leashOwner *os.File
	started           *running.Running
}

// within has a kubelet with these pieces at work while something is done. Whatever comes of it, no process is left.
// before is called in each start, before it begins.
func (r run) within(ctx context.Context, l *lab.Lab, pieces kubelet.Pieces, before func(),
	do func(context.Context, *place) error) (err error) {
	if err := scenario.Local(l.Server.Hostname(), nil); err != nil {
		return err
	}
	over, err := owning.NewWorld(ctx, l)
	if err != nil {
		return err
	}
	p := &place{World: &scenario.World{World: over, Name: lab.Suffix()}, lab: l, patience: r.patience}
	if p.dir, err = os.MkdirTemp("", "scratch-mine-"); err != nil {
		return err
	}
	if p.leash, p.leashOwner, err = os.Pipe(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close(ctx)) }()
	if p.machine, err = machine.New(p.dir, machine.Options{Leash: p.leash}); err != nil {
		return err
	}
	if err := p.start(ctx, pieces, before); err != nil {
		return err
	}
	return do(ctx, p)
}

// slow is a machine whose starts wait for something.
type slow struct {
	*machine.Machine
	before func()
}

// Start implements kubelet.Machine.
func (s slow) Start(ctx context.Context, spec machine.Spec) error {
	s.before()
	return s.Machine.Start(ctx, spec)
}

// start starts the kubelet, and returns when its cache is filled.
func (p *place) start(ctx context.Context, pieces kubelet.Pieces, before func()) error {
	m, err := manager.New(running.Access(p.lab), manager.Options{
		Scheme: writing.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache: cache.Options{NewInformer: running.Drained(nil),
			DefaultNamespaces: map[string]cache.Config{p.lab.Namespace: {}}},
	})
	if err != nil {
		return err
	}
	k := kubelet.New(m.GetClient(), slow{p.machine, before}, kubelet.Options{
		Name: p.Name, Namespace: p.lab.Namespace, Starts: atOnce, Window: 10 * time.Millisecond, Pieces: pieces,
		Backoff: func(int32) time.Duration { return 50 * time.Millisecond },
		Observe: func(e kubelet.Event) {
			if e.Kind == kubelet.EventRun {
				p.runs.Add(1)
			}
		},
	})
	if err := k.Setup(m, "process", controller.Options{}); err != nil {
		return err
	}
	p.started = running.Run(ctx, m.Start)
	if !m.GetCache().WaitForCacheSync(ctx) {
		return errors.New("the kubelet's cache was not filled")
	}
	return nil
}

// close ends the kubelet, and then all processes: their leash ends.
func (p *place) close(ctx context.Context) error {
	var failed []error
	if p.started != nil {
		failed = append(failed, p.started.Stop())
	}
	failed = append(failed, p.leashOwner.Close(), p.leash.Close())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second) // also after Ctrl-C
	defer cancel()
	if p.machine != nil {
		all, err := p.machine.List()
		failed = append(failed, err)
		for _, seen := range all {
			if _, err := p.machine.Wait(ctx, seen.Spec.Run); err != nil {
				failed = append(failed, fmt.Errorf("wait until %s has ended: %w", seen.Spec.Object, err))
			}
		}
	}
	return errors.Join(append(failed, os.RemoveAll(p.dir))...)
}

// until waits as long as the reader's piece may take.
func (p *place) until(ctx context.Context, so func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return owning.Until(ctx, so)
}

// key is the name of an object of this place.
func (p *place) key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: p.lab.Namespace, Name: name}
}

// told shows each new status.
func (p *place) told(line string) { p.lab.Became("%s", line) }

// killed has a Process that runs be killed, and waits for its second attempt. It says what should have come.
func (p *place) killed(ctx context.Context, t *scenario.Track) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	first := machine.Run{UID: t.Now.UID, Attempt: 1}
	if err := t.Until(ctx, isRunning(0)); err != nil {
		return fmt.Errorf("%s should run: %w", t.Now.Name, err)
	}
	p.lab.Say("Somebody kills the process of %s.", t.Now.Name)
	if err := p.machine.Signal(first, sigkill); err != nil {
		return err
	}
	if err := t.Until(ctx, isRunning(1)); err != nil {
		return fmt.Errorf("%s should have been started again: %w", t.Now.Name, err)
	}
	return nil
}

// delete deletes an object.
func (p *place) delete(ctx context.Context, name string) error {
	o := p.Process(name, "")
	return p.User.Delete(ctx, o)
}
