package deletion_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

const (
	quiet = 2 * time.Minute // longer than each pause, grace and delay together
	slow  = "example.com/slow"
	early = 50 * time.Millisecond // how long a slow start is under way before the machine knows of it
)

// ours is the finalizer of the site's machine.
var ours = deletion.MachineKey(kubelettest.Name)

// spoil changes a guard for the worse.
type spoil func(g *deletion.Guard, k deletion.Busy, m deletion.Machine, a deletion.Archive)

// history is one: a site, and what happens there.
type history struct {
	t          *testing.T
	draw       *rand.Rand
	site       *kubelettest.Site
	archive    deletion.Archive
	controller *kubelettest.Controller
	gate       *kubelettest.Gate
	made       int

	lock  sync.Mutex // guards what follows
	wrong []string
	fails int // how often the second controller's clean-up fails, from now on
}

// newHistory is one on a site without objects and without a controller. It belongs into a bubble.
func newHistory(t *testing.T, seed uint64, dir string, s spoil) *history {
	t.Helper()
	h := &history{t: t, draw: rand.New(rand.NewPCG(seed, 16)), site: kubelettest.NewSite(t, 20*time.Millisecond),
		archive: deletion.Archive(filepath.Join(dir, "logs"))}
	h.site.Spoil = func(m kubelet.Machine) kubelet.Machine { return starts{m, h} }
	h.site.Before = h.before(s)
	h.site.Machine.Behave("slow", kubelettest.Behaviour{Slow: 300 * time.Millisecond, Takes: 700 * time.Millisecond})
	h.site.Machine.Behave("deaf", kubelettest.Behaviour{Deaf: true})
	h.site.Machine.Behave("missing",
		kubelettest.Behaviour{Fails: &machine.StartError{Err: errors.New("no such file")}})
	h.site.Machine.Behave("full", kubelettest.Behaviour{Fails: errors.New("no space left on device")})
	return h
}

// play plays a history by a seed, and returns what was wrong.
func play(t *testing.T, seed uint64, dir string, s spoil) []string {
	t.Helper()
	h := newHistory(t, seed, dir, s)
	defer h.site.Close()
	second := h.second()
	h.begin()
	for range 40 {
		h.something()
		time.Sleep(time.Duration(h.draw.IntN([]int{50, 400}[h.draw.IntN(2)])) * time.Millisecond)
	}
	h.controller.Kill()
	h.gate = kubelettest.NewGate(0, false)
	h.begin()
	h.free()
	time.Sleep(quiet)
	h.left(func(p *v1alpha1.Process) bool { return p.DeletionTimestamp != nil }, "is being deleted, and does not go")
	h.left(func(p *v1alpha1.Process) bool {
		return p.Labels[kubelet.Label] == "theirs" && slices.Contains(p.Finalizers, ours)
	}, "has moved away")
	for n := range 3 {
		h.site.Delete(fmt.Sprint("web-", n))
	}
	h.free()
	time.Sleep(quiet)
	h.left(func(*v1alpha1.Process) bool { return true }, "was deleted, and did not go")
	h.controller.Stop()
	second()
	folders, err := h.site.Machine.List()
	require.NoError(t, err)
	for _, f := range folders {
		h.problem("%v is nobody's", f)
	}
	return append(h.wrong, h.site.Machine.Problems()...)
}

func (h *history) problem(format string, args ...any) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

// left notes the objects that should not be there.
func (h *history) left(which func(*v1alpha1.Process) bool, how string) {
	var all v1alpha1.ProcessList
	require.NoError(h.t, h.site.Client.List(h.t.Context(), &all))
	for i := range all.Items {
		if p := &all.Items[i]; which(p) {
			h.problem("%s %s: finalizers %v, status %+v", p.Name, how, p.Finalizers, p.Status)
		}
	}
}

// begin begins a controller that may have an end.
func (h *history) begin() {
	if h.gate == nil {
		h.gate = kubelettest.NewGate(h.draw.IntN(60), h.draw.IntN(2) == 0)
	}
	h.controller = h.site.Begin(kubelet.Options{Starts: 2}, h.gate)
	h.gate = nil
}

// something does one thing at random.
func (h *history) something() {
	name := fmt.Sprint("web-", h.draw.IntN(3))
	switch h.draw.IntN(20) {
	case 0, 1, 2, 3, 4, 5:
		h.create(name)
	case 6, 7, 8, 9:
		h.site.Delete(name)
	case 10:
		if alive := h.site.Machine.Alive(); len(alive) > 0 {
			h.site.Machine.Kill(alive[h.draw.IntN(len(alive))].UID, syscall.SIGKILL)
		}
	case 11:
		if alive := h.site.Machine.Alive(); len(alive) > 0 {
			h.site.Machine.Lose(alive[h.draw.IntN(len(alive))].UID)
		}
	case 12:
		h.made++
		h.site.Edit(name, func(p *v1alpha1.Process) {
			p.Spec.Env = []v1alpha1.EnvVar{{Name: "MADE", Value: fmt.Sprint(h.made)}}
		})
	case 13:
		to := []string{kubelettest.Name, "theirs"}[h.draw.IntN(2)]
		h.site.Edit(name, func(p *v1alpha1.Process) { metav1.SetMetaDataLabel(&p.ObjectMeta, kubelet.Label, to) })
	case 14:
		h.block()
	case 15:
		h.free()
	case 16:
		h.lock.Lock()
		h.fails = h.draw.IntN(20)
		h.lock.Unlock()
	default:
		if h.draw.IntN(2) == 0 {
			h.controller.Kill()
		} else {
			h.controller.Stop()
		}
		time.Sleep(time.Duration(h.draw.IntN(2000)) * time.Millisecond)
		h.begin()
	}
}

// block has the archive take nothing, and free ends that, and what else keeps an object.
func (h *history) block() {
	if _, err := os.Lstat(string(h.archive)); err != nil {
		require.NoError(h.t, os.WriteFile(string(h.archive), nil, 0o600))
	}
}

func (h *history) free() {
	if info, err := os.Lstat(string(h.archive)); err == nil && !info.IsDir() {
		require.NoError(h.t, os.Remove(string(h.archive)))
	}
	for n := range 3 {
		for {
			p := h.site.Get(fmt.Sprint("web-", n))
			if p == nil || !slices.Contains(p.Finalizers, slow) {
				break
			}
			p.Finalizers = slices.DeleteFunc(p.Finalizers, func(k string) bool { return k == slow })
			if err := h.site.Client.Update(h.t.Context(), p); !apierrors.IsConflict(err) {
				require.NoError(h.t, client.IgnoreNotFound(err))
			}
		}
	}
}

func (h *history) create(name string) {
	p := kubelettest.Process(name)
	p.Spec.Command = []string{"sleep", "sleep", "slow", "slow", "deaf", "missing", "full"}[h.draw.IntN(7)]
	p.Spec.GracePeriodSeconds = ptr.To(int32(h.draw.IntN(3)))
	if h.draw.IntN(4) == 0 {
		p.Finalizers = []string{slow}
	}
	if err := h.site.Client.Create(h.t.Context(), p); err != nil && !apierrors.IsAlreadyExists(err) {
		h.t.Error(err)
	}
}

// before makes the guard of each controller.
func (h *history) before(s spoil) kubelettest.Before {
	return func(k *kubelet.Kubelet, g *kubelettest.Gate, over client.Client) reconcile.Reconciler {
		on := guarded{g.Machine(h.site.Machine), h, g}
		guard, err := deletion.Process(h.watched(over), g.Client(h.site.Client), k, on, h.archive, deletion.Pieces{})
		if err != nil {
			h.problem("%v", err)
			return k
		}
		if s != nil {
			s(guard, k, on, h.archive)
		}
		return guard
	}
}

// starts notes a start without a finalizer. A slow one is slow before the machine knows of it, too.
type starts struct {
	kubelet.Machine
	h *history
}

func (s starts) Start(ctx context.Context, spec machine.Spec) error {
	if spec.Command == "slow" {
		time.Sleep(early)
	}
	if p := s.h.site.Get(spec.Object.Name); p == nil || p.UID != spec.UID || !slices.Contains(p.Finalizers, ours) {
		s.h.problem("%v was started, and nothing keeps its object", spec.Run)
	}
	return s.Machine.Start(ctx, spec)
}

// guarded is what a guard sees of the machine. It notes what is forgotten before its log was kept.
type guarded struct {
	kubelet.Machine
	h    *history
	gate *kubelettest.Gate
}

func (g guarded) Log(uid types.UID) (log string, err error) {
	err = g.gate.Do(func() (err error) { log, err = g.h.site.Machine.Log(uid); return err })
	return log, err
}

func (g guarded) Forget(uid types.UID) error {
	seen, err := g.h.site.Machine.Look(uid)
	require.NoError(g.h.t, err)
	if seen.Spec.Attempt != 0 {
		p := kubelettest.Process(seen.Spec.Object.Name)
		p.UID = uid
		if text, err := os.ReadFile(g.h.archive.Path(p)); err != nil || len(text) == 0 {
			g.h.problem("%v is forgotten, and its log was not kept: %v", seen.Spec.Run, err)
		}
	}
	return g.Machine.Forget(uid)
}

// watched notes which finalizers a patch has taken out, and whether it was time. After each read of the cache a while
// passes: what the guard has read need not be what the kubelet reads next.
func (h *history) watched(over client.Client) client.Client {
	return interceptor.NewClient(over.(client.WithWatch), interceptor.Funcs{
		Get: func(ctx context.Context, over client.WithWatch, at client.ObjectKey, o client.Object,
			options ...client.GetOption) error {
			err := over.Get(ctx, at, o, options...)
			time.Sleep(h.site.Lag / 2)
			return err
		},
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			before := h.site.Get(o.GetName())
			err := over.Patch(ctx, o, p, options...)
			if err != nil || before == nil || before.UID != o.GetUID() {
				return err
			}
			for _, k := range before.Finalizers { // the patch had a lock, so nobody has written in between
				switch seen, _ := h.site.Machine.Look(o.GetUID()); {
				case slices.Contains(o.GetFinalizers(), k):
				case k != ours:
					h.problem("%s of %s was taken out by another controller than its own", k, o.GetUID())
				case seen.Spec.Attempt != 0:
					h.problem("the finalizer of %s goes, and the machine has %v", o.GetUID(), seen)
				}
			}
			return nil
		}})
}

// second is another controller, with another finalizer, on all objects. What it returns stops it.
func (h *history) second() (stop func()) {
	g := &deletion.Guard{Key: other, Over: h.site.Client, Live: h.site.Client,
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
	ctx, cancel := context.WithCancel(context.Background())
	var works sync.WaitGroup
	works.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(150 * time.Millisecond):
			}
			for n := range 3 {
				_, _ = g.Reconcile(ctx, reconcile.Request{NamespacedName: types.NamespacedName{
					Namespace: kubelettest.Namespace, Name: fmt.Sprint("web-", n)}}) // what fails comes again
			}
		}
	})
	return func() { cancel(); works.Wait() }
}
