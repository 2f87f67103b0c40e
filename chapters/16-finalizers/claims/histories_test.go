package claims

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	scenes "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

var full = flag.Bool("full", false, "TestHistories: 300 seeds, and not 12")

const (
	patience = 3 * time.Minute // how long anything may take, on a machine that is busy
	lives    = 3               // how often a controller begins in one history; only the last one is not killed
)

// Processes are deleted at each point of their life, with an archive that takes nothing now and then, controllers that
// are killed with SIGKILL at one of their steps, and a second controller whose clean-up fails. When an object is gone
// its process is dead, in the end each object that was deleted is gone, its log was kept, and the machine knows nothing
// of it.
//
// covers: S0-58
func TestHistories(t *testing.T) {
	seeds := 12
	if *full {
		seeds = 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel() // most of it is waiting
			newHistory(t, uint64(seed)).play()
		})
	}
}

// history is what happens to a few Processes.
type history struct {
	*scenes.World
	t    *testing.T
	ctx  context.Context
	draw *rand.Rand
	dead chan struct{} // is closed when the controller has ended; nil while there is none

	lock  sync.Mutex // guards what follows
	gone  []*v1alpha1.Process
	wrong []string
	fails int // how often the second controller's clean-up fails, from now on
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	w, err := scenes.NewWorld(t.Context(), &lab.Lab{Cluster: cluster.New(t).Cluster}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close(context.Background())) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return &history{World: w, t: t, ctx: ctx, draw: rand.New(rand.NewPCG(seed, 16))}
}

func (h *history) play() {
	h.t.Helper()
	defer h.beside(h.watches)()
	defer h.beside(h.second)()
	for n := range lives {
		l := scenes.Life{Life: running.Life{Backoff: 10 * time.Millisecond, KillAt: 1 + h.draw.Int64N(60),
			Done: h.draw.IntN(2) > 0}}
		if n == lives-1 {
			l.KillAt = 0
		}
		c, err := h.Begin(h.ctx, l)
		if n == lives-1 {
			require.NoError(h.t, err)
		} // or it may have been killed before it began
		h.follow(c)
		for range 8 {
			h.act()
		}
		if l.KillAt > 0 && c != nil {
			_ = c.Kill() // or it has been
			h.dead = nil
			h.act()
		}
	}
	h.free()
	for _, p := range h.all() {
		require.NoError(h.t, client.IgnoreNotFound(h.User.Delete(h.ctx, p)))
	}
	h.within(func() bool { return len(h.all()) == 0 }, func() any { return h.all() })
	h.within(func() bool { all, err := h.Machine.List(); return err == nil && len(all) == 0 }, func() any {
		all, err := h.Machine.List()
		return fmt.Sprint(all, err)
	})
	h.lock.Lock()
	defer h.lock.Unlock()
	require.Empty(h.t, h.wrong)
	for _, p := range h.gone {
		if p.Status.StartedAt != nil && slices.Contains(p.Finalizers, h.Key()) { // the last one to go was ours
			require.FileExists(h.t, h.Archive.Path(p))
		}
	}
}

// beside has something done until the history is over.
func (h *history) beside(do func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(h.ctx)
	var works sync.WaitGroup
	works.Go(func() { do(ctx) })
	return func() { cancel(); works.Wait() }
}

// within looks again and again whether something is so.
func (h *history) within(so func() bool, instead func() any) {
	h.t.Helper()
	for !so() {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-h.ctx.Done():
			require.FailNow(h.t, "it has not come", "%v", instead())
		}
	}
}

// all are the Processes.
func (h *history) all() (all []*v1alpha1.Process) {
	h.t.Helper()
	var list v1alpha1.ProcessList
	require.NoError(h.t, h.User.List(h.ctx, &list, client.InNamespace(h.Lab.Namespace)))
	for i := range list.Items {
		all = append(all, &list.Items[i])
	}
	return all
}

// watches looks, when an object is gone, whether its process lives.
func (h *history) watches(ctx context.Context) {
	events, err := h.User.Watch(ctx, &v1alpha1.ProcessList{}, client.InNamespace(h.Lab.Namespace))
	if err != nil {
		h.t.Error(err)
		return
	}
	stop := context.AfterFunc(ctx, events.Stop)
	defer stop()
	for e := range events.ResultChan() {
		p, ok := e.Object.(*v1alpha1.Process)
		if !ok || e.Type != watch.Deleted {
			continue
		}
		seen, err := h.Machine.Look(p.UID)
		h.lock.Lock()
		if err != nil || seen.Spec.Attempt != 0 {
			h.wrong = append(h.wrong,
				fmt.Sprintf("%s (%s) is gone, and the machine has %+v (%v)", p.Name, p.UID, seen, err))
		}
		h.gone = append(h.gone, p)
		h.lock.Unlock()
	}
}

// second is another controller, with another finalizer, on all objects.
func (h *history) second(ctx context.Context) {
	g := &deletion.Guard{Key: theirs, Over: h.User, Live: h.User,
		New:  func() client.Object { return new(v1alpha1.Process) },
		Next: reconcile.Func(nothing),
		Clean: deletion.Steps{{Name: "Strike", Do: func(context.Context, client.Object) error {
			h.lock.Lock()
			defer h.lock.Unlock()
			if h.fails > 0 {
				h.fails--
				return errors.New("the account is closed")
			}
			return nil
		}}}}
	for ctx.Err() == nil {
		for n := range 4 {
			_, _ = g.Reconcile(ctx, reconcile.Request{NamespacedName: types.NamespacedName{
				Namespace: h.Lab.Namespace, Name: fmt.Sprint("web-", n)}}) // what fails comes again
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// nothing is what the second controller does for objects that are not being deleted.
func nothing(context.Context, reconcile.Request) (r reconcile.Result, err error) { return r, nil }

// act is something that nobody has planned.
func (h *history) act() {
	h.t.Helper()
	name := fmt.Sprint("web-", h.draw.IntN(4))
	switch h.draw.IntN(10) {
	case 0, 1, 2, 3:
		h.create(name)
	case 4, 5, 6:
		p := h.Process(name, "sleep")
		require.NoError(h.t, client.IgnoreNotFound(h.User.Delete(h.ctx, p)))
	case 7:
		if _, err := os.Lstat(string(h.Archive)); err != nil {
			require.NoError(h.t, h.Block())
		}
	case 8:
		h.free()
	default:
		h.lock.Lock()
		h.fails = h.draw.IntN(10)
		h.lock.Unlock()
		if all, err := h.Machine.List(); err == nil && len(all) > 0 {
			_ = h.Machine.Signal(all[0].Spec.Run, syscall.SIGKILL) // or it has ended
		}
	}
}

// follow notes when a controller has ended.
func (h *history) follow(c *running.Controller) {
	h.dead = nil
	if c == nil {
		return
	}
	dead := make(chan struct{})
	h.dead = dead
	go func() {
		_ = c.Ended(h.ctx)
		close(dead)
	}()
}

// reaches waits until a Process has come so far, or its controller has ended.
func (h *history) reaches(p *v1alpha1.Process, so func(*v1alpha1.Process) bool) {
	h.t.Helper()
	if h.dead == nil {
		return
	}
	h.within(func() bool {
		select {
		case <-h.dead:
			return true
		default:
			return h.User.Get(h.ctx, client.ObjectKeyFromObject(p), p) == nil && so(p)
		}
	}, func() any { return p })
}

func (h *history) free() {
	if info, err := os.Lstat(string(h.Archive)); err == nil && !info.IsDir() {
		require.NoError(h.t, h.Free())
	}
}

func (h *history) create(name string) {
	h.t.Helper()
	command, args := scenes.Slow("0.2")
	p := []*v1alpha1.Process{h.Process(name, "sleep", "600"), h.Process(name, command, args...),
		h.Process(name, "sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"),
		h.Process(name, "no-such-program")}[h.draw.IntN(4)]
	p.Spec.GracePeriodSeconds = ptr.To(h.draw.Int32N(2))
	if err := h.User.Create(h.ctx, p); apierrors.IsAlreadyExists(err) {
		return
	} else {
		require.NoError(h.t, err)
	}
	far := []func(*v1alpha1.Process) bool{ // it is deleted, or the controller killed, at any of these
		func(*v1alpha1.Process) bool { return true },
		func(p *v1alpha1.Process) bool { return len(p.Finalizers) == 2 },
		func(p *v1alpha1.Process) bool { return p.Status.Phase != "" },
		func(p *v1alpha1.Process) bool {
			return p.Status.Phase == v1alpha1.PhaseRunning || p.Status.Phase == v1alpha1.PhaseFailed
		}}
	h.reaches(p, far[h.draw.IntN(len(far))])
}
