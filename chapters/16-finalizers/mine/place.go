package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
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

// place is a machine with a kubelet, and something of the reader's before it. Its processes end with this program at
// the latest: it holds their leash.
type place struct {
	*scenario.World
	lab      *lab.Lab
	machine  *machine.Machine
	archive  deletion.Archive
	patience time.Duration
	key      string // the kubelet's finalizer

	manager manager.Manager
	kubelet *kubelet.Kubelet

	dir               string
	leash, leashOwner *os.File
	started           *running.Running
}

// within has a kubelet at work behind what stands makes, while something is done. Whatever comes of it, no process is
// left.
func (r run) within(ctx context.Context, l *lab.Lab, stands func(*place) (reconcile.Reconciler, error),
	do func(context.Context, *place) error) (err error) {
	if err := scenario.Local(l.Server.Hostname(), nil); err != nil {
		return err
	}
	over, err := owning.NewWorld(ctx, l)
	if err != nil {
		return err
	}
	p := &place{World: &scenario.World{World: over, Name: lab.Suffix()}, lab: l, patience: r.patience}
	p.key = deletion.MachineKey(p.Name)
	if p.dir, err = os.MkdirTemp("", "scratch-mine-"); err != nil {
		return err
	}
	p.archive = deletion.Archive(filepath.Join(p.dir, "logs"))
	if p.leash, p.leashOwner, err = os.Pipe(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close(ctx)) }()
	if p.machine, err = machine.New(filepath.Join(p.dir, "machine"), machine.Options{Leash: p.leash}); err != nil {
		return err
	}
	if err := p.start(ctx, stands); err != nil {
		return err
	}
	return do(ctx, p)
}

// start starts the controllers, and returns when their caches are filled.
func (p *place) start(ctx context.Context, stands func(*place) (reconcile.Reconciler, error)) (err error) {
	p.manager, err = manager.New(running.Access(p.lab), manager.Options{
		Scheme: writing.Known(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache: cache.Options{NewInformer: running.Drained(nil),
			DefaultNamespaces: map[string]cache.Config{p.lab.Namespace: {}}},
	})
	if err != nil {
		return err
	}
	p.kubelet = kubelet.New(p.manager.GetClient(), p.machine, kubelet.Options{
		Name: p.Name, Namespace: p.lab.Namespace, Window: 10 * time.Millisecond,
	})
	before, err := stands(p)
	if err != nil {
		return err
	}
	if err := p.kubelet.Setup(p.manager, "process", controller.Options{Reconciler: before}); err != nil {
		return err
	}
	p.started = running.Run(ctx, p.manager.Start)
	if !p.manager.GetCache().WaitForCacheSync(ctx) {
		return errors.New("the caches were not filled")
	}
	return nil
}

// guard is the chapter's own, with these pieces.
func (p *place) guard(pieces deletion.Pieces) (*deletion.Guard, error) {
	return deletion.Process(p.manager.GetClient(), p.manager.GetAPIReader(), p.kubelet, p.machine, p.archive, pieces)
}

// close ends the controllers, and then all processes: their leash ends.
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

// runs creates a Process, and waits until it runs.
func (p *place) runs(ctx context.Context, o *v1alpha1.Process) (*scenario.Track, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	t, err := p.Track(ctx, o, p.shows)
	if err != nil {
		return nil, err
	}
	return t, t.In(ctx, v1alpha1.PhaseRunning)
}

// gone waits until an object is no more.
func (p *place) gone(ctx context.Context, t *scenario.Track) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	return t.Until(ctx, func(*v1alpha1.Process) bool { return t.Gone })
}

// shows shows a new status.
func (p *place) shows(line string) { p.lab.Became("%s", line) }

// at is the name of an object of this place.
func (p *place) at(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: p.lab.Namespace, Name: name}
}

// delete deletes a Process.
func (p *place) delete(ctx context.Context, name string) error {
	p.lab.Say("Somebody deletes %s.", name)
	return p.User.Delete(ctx, p.Process(name, ""))
}
