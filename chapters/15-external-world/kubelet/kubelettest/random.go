package kubelettest

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

const slow = "scratch.example.com/slow" // a finalizer: what has it is in deletion for a while

// quiet is how long nothing is done at the end: longer than each pause, grace and delay together.
const quiet = 3 * time.Minute

// Play plays so many things that happen at random, by a seed, and returns what is wrong once quiet. It is to be called
// in a bubble. Controllers are killed at one of their steps, or told to stop, and the next one begins a while later.
//
// spoil, if it is not nil, stands before the machine of each controller, and shows what the oracle notices.
func Play(t *testing.T, seed uint64, things int, spoil func(kubelet.Machine) kubelet.Machine) []string {
	t.Helper()
	s := NewSite(t, 20*time.Millisecond)
	s.Spoil = spoil
	defer s.Close()
	h := &history{t: t, draw: rand.New(rand.NewPCG(seed, 15)), site: s, options: kubelet.Options{Starts: 2,
		Backoff: func(restarts int32) time.Duration { return min(kubelet.Backoff(restarts), 4*time.Second) }}}
	s.Machine.Behave("slow", Behaviour{Slow: 300 * time.Millisecond, Takes: 700 * time.Millisecond})
	s.Machine.Behave("deaf", Behaviour{Deaf: true})
	s.Machine.Behave("short", Behaviour{Ends: 50 * time.Millisecond, Code: 3})
	s.Machine.Behave("missing", Behaviour{Fails: &machine.StartError{Err: fmt.Errorf("no such file")}})
	s.Machine.Behave("busy", Behaviour{Fails: &machine.StartError{Err: fmt.Errorf("text file busy"), Retry: true}})
	s.Machine.Behave("full", Behaviour{Fails: fmt.Errorf("no space left on device")})
	h.begin()
	for range things {
		h.something()
		time.Sleep(time.Duration(h.draw.IntN(400)) * time.Millisecond)
	}
	h.controller.Kill()
	s.Machine.Behave("busy", Behaviour{})
	s.Machine.Behave("full", Behaviour{})
	h.gate = NewGate(0, false)
	h.begin()
	defer h.controller.Stop()
	time.Sleep(quiet)
	saves := s.Saves()
	time.Sleep(quiet)
	wrong := s.Wrong()
	if more := s.Saves() - saves; more > 0 {
		wrong = append(wrong, fmt.Sprintf("nothing happens, and %d statuses were saved", more))
	}
	return wrong
}

// history is one.
type history struct {
	t          *testing.T
	draw       *rand.Rand
	site       *Site
	options    kubelet.Options
	controller *Controller
	gate       *Gate
	made       int
}

// begin begins a controller that may have an end.
func (h *history) begin() {
	if h.gate == nil {
		h.gate = NewGate(h.draw.IntN(60), h.draw.IntN(2) == 0)
	}
	h.controller = h.site.Begin(h.options, h.gate)
	h.gate = nil
}

// something does one thing at random.
func (h *history) something() {
	name := fmt.Sprint("web-", h.draw.IntN(3))
	switch h.draw.IntN(20) {
	case 0, 1, 2, 3, 4:
		h.create(name)
	case 5, 6:
		h.site.Machine.Kill(h.uid(), syscall.SIGKILL)
	case 7:
		h.site.Machine.End(h.uid(), 0)
	case 8:
		h.site.Machine.End(h.uid(), int32(h.draw.IntN(3)))
	case 9, 10:
		h.site.Machine.Lose(h.uid())
	case 11, 12:
		h.made++
		h.site.Edit(name, func(p *v1alpha1.Process) {
			p.Spec.Env = []v1alpha1.EnvVar{{Name: "MADE", Value: fmt.Sprint(h.made)}}
		})
	case 13:
		to := []string{Name, Name, "theirs"}[h.draw.IntN(3)]
		h.site.Edit(name, func(p *v1alpha1.Process) { metav1.SetMetaDataLabel(&p.ObjectMeta, kubelet.Label, to) })
	case 14, 15:
		h.site.Delete(name)
	case 16:
		h.release(name)
	default:
		h.again()
	}
}

// again ends the controller, if it lives, and begins the next one.
func (h *history) again() {
	if h.draw.IntN(2) == 0 {
		h.controller.Kill()
	} else {
		h.controller.Stop()
	}
	time.Sleep(time.Duration(h.draw.IntN(3)) * time.Second)
	if h.draw.IntN(3) == 0 {
		h.site.Machine.Kill(h.uid(), syscall.SIGTERM)
	}
	h.begin()
}

// uid is that of a process that lives, or none.
func (h *history) uid() types.UID {
	alive := h.site.Machine.Alive()
	if len(alive) == 0 {
		return ""
	}
	return alive[h.draw.IntN(len(alive))].UID
}

func (h *history) create(name string) {
	commands := []string{"sleep", "sleep", "slow", "deaf", "short", "missing", "busy", "full"}
	policies := []v1alpha1.RestartPolicy{v1alpha1.RestartAlways, v1alpha1.RestartOnFailure, v1alpha1.RestartNever}
	p := Process(name)
	p.Spec.Command = commands[h.draw.IntN(len(commands))]
	p.Spec.RestartPolicy = policies[h.draw.IntN(len(policies))]
	p.Spec.GracePeriodSeconds = ptr.To(int32(h.draw.IntN(3)))
	if p.Spec.Command == "short" && p.Spec.RestartPolicy == v1alpha1.RestartAlways { // it would have no end
		p.Spec.RestartPolicy = v1alpha1.RestartOnFailure
	}
	if p.Spec.RestartPolicy == v1alpha1.RestartOnFailure {
		p.Spec.MaxRestarts = ptr.To(int32(h.draw.IntN(4)))
	}
	if h.draw.IntN(4) == 0 {
		p.Finalizers = []string{slow}
	}
	if err := h.site.Client.Create(h.t.Context(), p); err != nil && !apierrors.IsAlreadyExists(err) {
		h.t.Error(err)
	}
}

// release ends the deletion of an object.
func (h *history) release(name string) {
	p := h.site.Get(name)
	if p == nil || len(p.Finalizers) == 0 {
		return
	}
	p.Finalizers = nil
	if err := h.site.Client.Update(h.t.Context(), p); err != nil && !apierrors.IsConflict(err) {
		h.t.Error(err)
	}
}
