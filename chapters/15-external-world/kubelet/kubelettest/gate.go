package kubelettest

import (
	"context"
	"errors"
	"sync"
	"syscall"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// ErrKilled is what a controller gets that is no more: what it asks for is not done, and what it does counts no more.
var ErrKilled = errors.New("this controller was killed")

// Gate stands before all that a controller asks for, of its machine and of its API server. From one step on nothing is
// done any more, as if SIGKILL had ended the controller there. Its goroutines go on in the test, and achieve nothing.
type Gate struct {
	last  int  // the step with which it ends; 0: none
	after bool // that step is done, and its answer is lost

	lock   sync.Mutex // guards what follows
	steps  int
	killed bool
	dead   chan struct{}
}

// NewGate makes one that kills at a step, counted from 1, before or after it is done. At 0 it kills when it is told to.
func NewGate(last int, after bool) *Gate {
	return &Gate{last: last, after: after, dead: make(chan struct{})}
}

// Kill kills the controller now.
func (g *Gate) Kill() {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.kill()
}

func (g *Gate) kill() {
	if !g.killed {
		g.killed = true
		close(g.dead)
	}
}

// Killed is closed when the controller was killed.
func (g *Gate) Killed() <-chan struct{} { return g.dead }

// Steps are how many there were.
func (g *Gate) Steps() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.steps
}

// pass does a step, if the controller lives.
func (g *Gate) pass(do func() error) error {
	g.lock.Lock()
	if g.killed {
		g.lock.Unlock()
		return ErrKilled
	}
	g.steps++
	mine := g.steps == g.last
	if mine {
		g.kill()
	}
	g.lock.Unlock()
	if mine && !g.after {
		return ErrKilled
	}
	err := do()
	select {
	case <-g.dead: // while it was done, or with it
		return ErrKilled
	default:
		return err
	}
}

// Client has the requests of a client pass the gate.
func (g *Gate) Client(over client.WithWatch) client.Client {
	return interceptor.NewClient(over, interceptor.Funcs{
		Get: func(ctx context.Context, over client.WithWatch, at client.ObjectKey, o client.Object,
			options ...client.GetOption) error {
			return g.pass(func() error { return over.Get(ctx, at, o, options...) })
		},
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			return g.pass(func() error { return over.Patch(ctx, o, p, options...) })
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			return g.pass(func() error { return over.SubResource(sub).Patch(ctx, o, p, options...) })
		},
	})
}

// Do does something else that a controller does, if it lives.
func (g *Gate) Do(do func() error) error { return g.pass(do) }

// Machine has what is asked of a machine pass the gate.
func (g *Gate) Machine(m kubelet.Machine) kubelet.Machine { return gated{g, m} }

type gated struct {
	gate *Gate
	over kubelet.Machine
}

func (g gated) Start(ctx context.Context, s machine.Spec) error {
	return g.gate.pass(func() error { return g.over.Start(ctx, s) })
}

func (g gated) Look(uid types.UID) (seen machine.Seen, err error) {
	err = g.gate.pass(func() (err error) { seen, err = g.over.Look(uid); return err })
	return seen, err
}

func (g gated) List() (all []machine.Seen, err error) {
	err = g.gate.pass(func() (err error) { all, err = g.over.List(); return err })
	return all, err
}

func (g gated) Signal(r machine.Run, s syscall.Signal) error {
	return g.gate.pass(func() error { return g.over.Signal(r, s) })
}

func (g gated) Wait(ctx context.Context, r machine.Run) (seen machine.Seen, err error) {
	err = g.gate.pass(func() (err error) { seen, err = g.over.Wait(ctx, r); return err })
	return seen, err
}

func (g gated) Forget(uid types.UID) error {
	return g.gate.pass(func() error { return g.over.Forget(uid) })
}
