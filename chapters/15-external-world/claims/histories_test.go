package claims

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
)

var full = flag.Bool("full", false, "TestHistories: 300 seeds, and not 20")

// lives is how often a controller begins in one history. Only the last is not killed.
const lives = 3

// Objects are made, edited and deleted, and their processes, the shims and the controller are killed, in an order that
// nobody has planned. A controller is killed with SIGKILL at one of its steps, done or not done: what it asks of the
// API server or of the machine. Once it is quiet each status is right, each process has its object, and each object
// that wants one has one. Nobody else's process has got a signal, and no zombie is left.
//
// covers: S0-11 S0-62
func TestHistories(t *testing.T) {
	seeds := 20
	if *full {
		seeds = 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel() // most of it is waiting
			newHistory(t, uint64(seed)).test()
		})
	}
}

// history is what happens to a few objects.
type history struct {
	*scenario.World
	t       *testing.T
	draw    *rand.Rand
	objects map[string]*object
	made    int
}

// object is one of them, and how it ends up if nothing else happens.
type object struct {
	*v1alpha1.Process
	ended *machine.Seen // how its process has ended, if it is not to be started again
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	return &history{World: newWorld(t), t: t, draw: rand.New(rand.NewPCG(seed, 15)), objects: map[string]*object{}}
}

func (h *history) test() {
	h.t.Helper()
	stranger := exec.Command("sleep", "600")
	require.NoError(h.t, stranger.Start())
	ended := make(chan error, 1)
	go func() { ended <- stranger.Wait() }()
	h.t.Cleanup(func() {
		_ = stranger.Process.Kill()
		<-ended
	})
	for n := range lives {
		l := scenario.Life{Backoff: 10 * time.Millisecond, KillAt: 1 + h.draw.Int64N(40), Done: h.draw.IntN(2) > 0}
		if n == lives-1 {
			l.KillAt = 0
		}
		c, err := h.Begin(bounded(h.t), l)
		if n == lives-1 {
			require.NoError(h.t, err)
		} // or it may have been killed before it began
		for range 6 {
			h.act()
		}
		if l.KillAt > 0 && c != nil {
			_ = c.Kill() // or it has been
			h.act()
		}
	}
	problem := ""
	within(h.t, func() bool {
		problem = h.wrong()
		return problem == ""
	}, func() string { return problem })
	select {
	case err := <-ended:
		h.t.Fatalf("a process that belongs to nobody's object has ended: %v", err)
	default:
	}
}

// act is something that nobody has planned.
func (h *history) act() {
	h.t.Helper()
	what, o := h.draw.IntN(10), h.any()
	switch {
	case what < 3 || o == nil:
		h.create()
	case what == 3:
		require.NoError(h.t, h.User.Delete(bounded(h.t), o.Process.DeepCopy()))
		delete(h.objects, o.Name)
	case what == 4:
		h.edit(o)
	case what < 8:
		h.kill(o, []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[h.draw.IntN(2)])
	default:
		h.killShim(o)
	}
}

// any is one of the objects, or nil.
func (h *history) any() *object {
	for i := h.draw.IntN(h.made + 1); i < h.made; i++ {
		if o, ok := h.objects[fmt.Sprint("p-", i)]; ok {
			return o
		}
	}
	return nil
}

// create makes an object whose process goes on until it is told to end, and then ends with 3.
func (h *history) create() {
	h.t.Helper()
	p := h.Process(fmt.Sprint("p-", h.made), "sh", "-c", `trap 'exit 3' TERM; while :; do sleep 0.1; done`)
	p.Spec.RestartPolicy = []v1alpha1.RestartPolicy{v1alpha1.RestartAlways, v1alpha1.RestartNever}[h.draw.IntN(2)]
	h.made++
	require.NoError(h.t, h.User.Create(bounded(h.t), p))
	h.objects[p.Name] = &object{Process: p}
}

// edit has a process begin anew, also one that had ended.
func (h *history) edit(o *object) {
	h.t.Helper()
	patch := fmt.Sprintf(`{"spec":{"env":[{"name":"EDITED","value":"%d"}]}}`, h.draw.IntN(1000))
	p := o.Process.DeepCopy()
	require.NoError(h.t, h.User.Patch(bounded(h.t), p, client.RawPatch(types.MergePatchType, []byte(patch))))
	o.Process, o.ended = p, nil
}

// running is what the machine has of an object, if its process runs now, and of this spec.
func (h *history) running(o *object) (machine.Seen, bool) {
	h.t.Helper()
	seen, err := h.Machine.Look(o.UID)
	require.NoError(h.t, err)
	return seen, seen.State == machine.Running && seen.Spec.Generation == o.Generation
}

// kill sends a signal to a process, and sees how it ends. A controller that is about to stop it may be quicker.
func (h *history) kill(o *object, s syscall.Signal) {
	h.t.Helper()
	seen, ok := h.running(o)
	if !ok {
		return
	}
	if h.Machine.Signal(seen.Spec.Run, s) == nil {
		h.ends(o, seen)
	}
}

// killShim kills what stands between a process and its controller. The process goes with it, and how it ended nobody
// knows.
func (h *history) killShim(o *object) {
	h.t.Helper()
	seen, ok := h.running(o)
	if !ok {
		return
	}
	row, ok := scenario.PS(seen.Identity.PID)
	if !ok || row.Parent <= 1 {
		return
	}
	if parent, ok := scenario.PS(row.Parent); !ok || parent.Command[:min(12, len(parent.Command))] != "process-shim" {
		return // it has ended meanwhile, and the number may be another's
	}
	require.NoError(h.t, ignoreGone(syscall.Kill(row.Parent, syscall.SIGKILL)))
	h.ends(o, seen)
}

func ignoreGone(err error) error {
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// ends waits for the end of a run, and notes it if the object says that it is the last.
func (h *history) ends(o *object, seen machine.Seen) {
	h.t.Helper()
	end, err := h.Machine.Wait(bounded(h.t), seen.Spec.Run)
	if err != nil { // it was followed by another run
		return
	}
	if o.Spec.RestartPolicy == v1alpha1.RestartNever {
		o.ended = &end
	}
}

// wrong is what is not as it should be, or nothing.
func (h *history) wrong() string {
	h.t.Helper()
	here := map[types.UID]bool{}
	for name, o := range h.objects {
		here[o.UID] = true
		var p v1alpha1.Process
		require.NoError(h.t, h.User.Get(bounded(h.t), client.ObjectKeyFromObject(o), &p))
		seen, err := h.Machine.Look(o.UID)
		require.NoError(h.t, err)
		if problem := o.wrong(&p, seen); problem != "" {
			return fmt.Sprintf("%s: %s; the machine says %v, the status %s", name, problem, seen.State,
				scenario.Line(&p))
		}
	}
	all, err := h.Machine.List()
	require.NoError(h.t, err)
	for _, seen := range all {
		if !here[seen.Spec.UID] {
			return fmt.Sprintf("%s is gone, and the machine has its folder: %v", seen.Spec.Object.Name, seen.State)
		}
	}
	return ""
}

// wrong is what is wrong with an object.
func (o *object) wrong(p *v1alpha1.Process, seen machine.Seen) string {
	ready := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady)
	switch {
	case p.Status.ObservedGeneration != p.Generation || ready == nil:
		return "the status is of another spec"
	case o.ended == nil && (seen.State != machine.Running || p.Status.Phase != v1alpha1.PhaseRunning):
		return "it should run"
	case o.ended == nil && ptr.Deref(p.Status.PID, 0) != int32(seen.Identity.PID):
		return "it runs as another process"
	case o.ended == nil:
		return ""
	case p.Status.Phase != v1alpha1.PhaseFailed || p.Status.PID != nil:
		return "it has ended, for good"
	case o.ended.State == machine.Lost && (ready.Reason != v1alpha1.ReasonExitUnknown || p.Status.ExitCode != nil):
		return "nobody knows how it ended"
	case o.ended.State == machine.Ended && *o.ended.Exit.Code != ptr.Deref(p.Status.ExitCode, -1):
		return fmt.Sprintf("it has ended with %d", *o.ended.Exit.Code)
	}
	return ""
}
