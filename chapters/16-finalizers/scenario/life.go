package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// Life is what a controller of this chapter is told, besides what chapter 15's is.
type Life struct {
	running.Life `json:"-"`

	// Bare leaves the finalizers out: chapter 14's and 15's controllers alone.
	Bare bool
	// Late adds the finalizer when the process runs, and not before.
	Late bool
	// Archive is the folder for logs.
	Archive deletion.Archive
	// DieAfter is the step of a clean-up after which the controller kills itself, as SIGKILL does. With Late, "Start"
	// is the one before the finalizer.
	DieAfter string
}

// RunIfController makes a program a controller that was started as one, with these pieces. It is the second line of
// main and of TestMain, behind machine.RunIfShim.
func RunIfController(pieces Pieces) {
	running.RunIfController(func(l running.Life, m manager.Manager, k *kubelet.Kubelet,
		on running.Mortal) (reconcile.Reconciler, error) {
		var more Life
		if err := json.Unmarshal(l.More, &more); err != nil {
			return nil, err
		}
		return more.stand(m, k, on, pieces)
	})
}

// Pieces are what a controller is made of. The zero value is the chapter's own.
type Pieces struct {
	deletion.Pieces

	Guard func(g *deletion.Guard) reconcile.Reconciler // instead of the guard itself
}

// stand makes what stands before the kubelet, and has the manager run a controller of sets as well.
func (l Life) stand(m manager.Manager, k *kubelet.Kubelet, on running.Mortal, p Pieces) (reconcile.Reconciler, error) {
	guard := func(g *deletion.Guard) reconcile.Reconciler { return g }
	switch {
	case l.Bare:
		guard = func(g *deletion.Guard) reconcile.Reconciler { return g.Next }
	case p.Guard != nil:
		guard = p.Guard
	}
	over, live := m.GetClient(), m.GetAPIReader()
	parts := deletion.Owned()
	if l.Bare {
		parts = owned.Ours()
	}
	sets := owned.New(over, live, parts)
	setup := controller.Options{Reconciler: guard(deletion.Set(over, live, sets, p.Pieces))}
	if err := sets.Setup(m, "processset", setup); err != nil {
		return nil, err
	}
	g, err := deletion.Process(over, live, k, on, l.Archive, p.Pieces)
	if err != nil {
		return nil, err
	}
	if steps, ok := g.Clean.(deletion.Steps); ok {
		g.Clean = l.mortal(steps)
	}
	if l.Bare || l.Late {
		k.May = func(client.Object) bool { return true }
	}
	if l.Late {
		return late{g, on, l.DieAfter == "Start"}, nil
	}
	return guard(g), nil
}

// mortal has a controller die after one of the steps.
func (l Life) mortal(all deletion.Steps) deletion.Steps {
	all = slices.Clone(all)
	for i, step := range all {
		if step.Name == l.DieAfter {
			all[i].Do = func(ctx context.Context, o client.Object) error {
				err := step.Do(ctx, o)
				if err == nil {
					die()
				}
				return err
			}
		}
	}
	return all
}

// die is kill -9: nothing is deferred, flushed or closed.
func die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// late is a guard of Processes that adds the finalizer when the process runs, and not before.
type late struct {
	*deletion.Guard
	on   deletion.Machine
	dies bool // in between
}

// Reconcile implements reconcile.Reconciler.
func (l late) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var p v1alpha1.Process
	if err := l.Over.Get(ctx, request.NamespacedName, &p); err != nil || slices.Contains(p.Finalizers, l.Key) {
		return l.Guard.Reconcile(ctx, request)
	}
	result, err := l.Next.Reconcile(ctx, request)
	if seen, unseen := l.on.Look(p.UID); err != nil || unseen != nil || seen.State != machine.Running {
		return result, errors.Join(err, unseen)
	}
	if l.dies {
		die()
	}
	return l.Guard.Reconcile(ctx, request)
}
