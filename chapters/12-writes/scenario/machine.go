package scenario

import (
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Node is the label in which a run says on which machine a process runs.
const Node = "scratch.example.com/node"

// Machine is where processes run. It starts them in no more than name.
type Machine struct {
	lock    sync.Mutex
	started int32
}

// Started is how many processes were started.
func (m *Machine) Started() int {
	m.lock.Lock()
	defer m.lock.Unlock()
	return int(m.started)
}

// Run has a process run for an object whose status knows of none, and says in the status which it is, and in a label
// where.
func (m *Machine) Run(_ context.Context, p *v1alpha1.Process) (r reconcile.Result, err error) {
	if p.Status.PID == nil {
		m.lock.Lock()
		defer m.lock.Unlock()
		m.started++
		pid := 1000 + m.started
		p.Status.PID, p.Status.Phase = &pid, v1alpha1.PhaseRunning
	}
	p.Status.ObservedGeneration = p.Generation
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels[Node] = "here"
	return r, nil
}

// ErrEnded is what a program gets that has ended.
var ErrEnded = errors.New("the program has ended")

// Ending is a client of a program that ends after so many writes: the next one is not sent. Each write is told.
func Ending(over client.WithWatch, after int, tell func(what string)) client.Client {
	next := func(what string) error {
		if after--; after < 0 {
			return ErrEnded
		}
		tell(what)
		return nil
	}
	return interceptor.NewClient(over, interceptor.Funcs{
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			if err := next("object"); err != nil {
				return err
			}
			return over.Patch(ctx, o, p, options...)
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			if err := next(sub); err != nil {
				return err
			}
			return over.SubResource(sub).Patch(ctx, o, p, options...)
		},
	})
}
