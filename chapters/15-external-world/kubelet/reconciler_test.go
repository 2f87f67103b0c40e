package kubelet_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

func TestAProcessRunsAndIsStartedAgain(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Create(kubelettest.Process("web"))
		pass(soon)
		p := s.Get("web")
		require.Equal(t, v1alpha1.PhaseRunning, p.Status.Phase)
		require.EqualValues(t, 4711, *p.Status.PID)
		require.Equal(t, "True Runs: it runs as process 4711", ready(p))
		require.NotNil(t, p.Status.StartedAt)

		s.Machine.Kill(p.UID, syscall.SIGKILL)
		pass(soon)
		p = s.Get("web")
		require.Equal(t, v1alpha1.PhaseRestarting, p.Status.Phase)
		require.Nil(t, p.Status.PID)
		require.EqualValues(t, 137, *p.Status.ExitCode)
		require.Equal(t, "False Ended: it was ended by the signal killed, and is started again after a pause", ready(p))

		pass(time.Second)
		p = s.Get("web")
		require.Equal(t, v1alpha1.PhaseRunning, p.Status.Phase)
		require.EqualValues(t, 1, p.Status.Restarts)
		require.EqualValues(t, 137, *p.Status.ExitCode, "what it ended with last")
		require.Equal(t, []machine.Run{{UID: p.UID, Attempt: 2}}, s.Machine.Alive())
	})
}

// phase is an object's, with its exit code and how often it was started again.
type phase struct {
	is       v1alpha1.Phase
	code     int32 // -1: none
	restarts int32
}

func phaseOf(p *v1alpha1.Process) phase {
	return phase{p.Status.Phase, ptr.Deref(p.Status.ExitCode, -1), p.Status.Restarts}
}

// What becomes of a process that has ended, by restartPolicy and exit code. -1 is an end that nobody saw.
func TestWhatHasEndedIsStartedAgainByItsPolicy(t *testing.T) {
	for _, c := range []struct {
		policy v1alpha1.RestartPolicy
		code   int32
		want   phase
		ready  string
	}{
		{"", 0, phase{v1alpha1.PhaseRunning, 0, 1}, "True Runs: it runs as process 4712"},
		{v1alpha1.RestartAlways, 0, phase{v1alpha1.PhaseRunning, 0, 1}, "True Runs: it runs as process 4712"},
		{v1alpha1.RestartAlways, -1, phase{v1alpha1.PhaseRunning, -1, 1}, "True Runs: it runs as process 4712"},
		{v1alpha1.RestartOnFailure, 3, phase{v1alpha1.PhaseRunning, 3, 1}, "True Runs: it runs as process 4712"},
		{v1alpha1.RestartOnFailure, -1, phase{v1alpha1.PhaseRunning, -1, 1}, "True Runs: it runs as process 4712"},
		{v1alpha1.RestartOnFailure, 0, phase{v1alpha1.PhaseSucceeded, 0, 0},
			"False Ended: it has ended with exit code 0, and is not started again"},
		{v1alpha1.RestartNever, 0, phase{v1alpha1.PhaseSucceeded, 0, 0},
			"False Ended: it has ended with exit code 0, and is not started again"},
		{v1alpha1.RestartNever, 3, phase{v1alpha1.PhaseFailed, 3, 0},
			"False Ended: it has ended with exit code 3, and is not started again"},
		{v1alpha1.RestartNever, -1, phase{v1alpha1.PhaseFailed, -1, 0},
			"False ExitUnknown: it has ended, and nobody knows how, and is not started again"},
	} {
		on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
			p := s.Create(kubelettest.Process("web", policy(c.policy)))
			pass(soon)
			if c.code < 0 {
				s.Machine.Lose(p.UID)
			} else {
				s.Machine.End(p.UID, c.code)
			}
			pass(2 * time.Second)
			p = s.Get("web")
			require.Equal(t, c.want, phaseOf(p), "%v", c)
			require.Equal(t, c.ready, ready(p), "%v", c)
			require.Equal(t, "False GoesOn: ", stalled(p), "%v", c)
		})
	}
}

func TestAFailureIsStartedAgainSoOften(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Ends: 10 * time.Millisecond, Code: 1})
		s.Create(kubelettest.Process("web", policy(v1alpha1.RestartOnFailure),
			func(p *v1alpha1.Process) { p.Spec.MaxRestarts = ptr.To(int32(2)) }))
		pass(soon)
		require.Equal(t, phase{v1alpha1.PhaseRestarting, 1, 0}, phaseOf(s.Get("web")))
		pass(time.Second) // the first pause is a second, the next one two
		require.Equal(t, phase{v1alpha1.PhaseRestarting, 1, 1}, phaseOf(s.Get("web")))
		pass(time.Minute)
		p := s.Get("web")
		require.Equal(t, phase{v1alpha1.PhaseFailed, 1, 2}, phaseOf(p))
		message := "MaxRestarts: it has ended with exit code 1, and was started again 2 times, " +
			"which is as often as it may be"
		require.Equal(t, "False "+message, ready(p))
		require.Equal(t, "True "+message, stalled(p))
		all, _ := s.Machine.Starts()
		require.Equal(t, 3, all)
	})
}

// Another spec is another process, and counts as no restart.
func TestAnEditStartsAnew(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Takes: 2 * time.Second})
		s.Create(kubelettest.Process("web", policy(v1alpha1.RestartNever)))
		pass(soon)
		s.Edit("web", env("2"))
		pass(soon)
		p := s.Get("web")
		require.Equal(t, v1alpha1.PhaseTerminating, p.Status.Phase)
		require.Equal(t, "False Stopping: it got SIGTERM: the spec has changed", ready(p))
		pass(2 * time.Second)
		p = s.Get("web")
		require.Equal(t, phase{v1alpha1.PhaseRunning, 143, 0}, phaseOf(p))
		require.EqualValues(t, 2, p.Status.ObservedGeneration)
		seen, err := s.Machine.Look(p.UID)
		require.NoError(t, err)
		require.Equal(t, []string{"A=2"}, seen.Spec.Env)
		require.Equal(t, 2, seen.Spec.Attempt)
	})
}

// The next process runs before the cache shows that the last one is being stopped, and no save was taken in between.
// How that one has ended is in the status all the same.
func TestAnExitCodeIsNotLostWhereTheCacheIsLate(t *testing.T) {
	onLate(t, 3*time.Second, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Create(kubelettest.Process("web"))
		pass(10 * time.Second)
		s.Edit("web", env("2"))
		pass(20 * time.Second)
		p := s.Get("web")
		require.Equal(t, phase{v1alpha1.PhaseRunning, 143, 0}, phaseOf(p))
		require.Equal(t, []machine.Run{{UID: p.UID, Attempt: 2}}, s.Machine.Alive())
	})
}

// signals are those that were sent, and when after the first.
func signals(s *kubelettest.Site) (all []string) {
	sent := s.Machine.Sent()
	for _, one := range sent {
		all = append(all, fmt.Sprint(one.Signal, " after ", one.At.Sub(sent[0].At)))
	}
	return all
}

func TestWhatIgnoresSIGTERMIsKilledAfterItsGrace(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Deaf: true})
		s.Create(kubelettest.Process("web", held))
		pass(soon)
		s.Delete("web")
		pass(soon)
		require.Equal(t, "False Stopping: it got SIGTERM: the object is being deleted", ready(s.Get("web")))
		pass(time.Minute)
		p := s.Get("web")
		require.Equal(t, phase{v1alpha1.PhaseTerminating, 137, 0}, phaseOf(p))
		require.Equal(t, "False Stopping: nothing runs, and nothing is started: the object is being deleted", ready(p))
		require.Equal(t, []string{"terminated after 0s", "killed after 10s"}, signals(s))
		require.Empty(t, s.Machine.Alive())
	})
}

// An object that is gone, or another machine's, has no process, and no folder.
func TestWhatIsNobodysIsStoppedAndForgotten(t *testing.T) {
	for name, leave := range map[string]func(*kubelettest.Site){
		"gone":           func(s *kubelettest.Site) { s.Delete("web") },
		"another's":      func(s *kubelettest.Site) { s.Edit("web", labelled("theirs")) },
		"gone and again": func(s *kubelettest.Site) { s.Delete("web"); s.Create(kubelettest.Process("web")) },
	} {
		on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
			p := s.Create(kubelettest.Process("web"))
			pass(soon)
			leave(s)
			pass(soon)
			seen, err := s.Machine.Look(p.UID)
			require.NoError(t, err)
			require.Equal(t, machine.Seen{}, seen, name)
			require.Equal(t, []string{"terminated after 0s"}, signals(s), name)
			if name == "gone and again" {
				require.Equal(t, phase{v1alpha1.PhaseRunning, -1, 0}, phaseOf(s.Get("web")))
				require.Len(t, s.Machine.Alive(), 1)
			}
		})
	}
}

// An object waits for the process of an earlier one of its name.
func TestANamesakeWaits(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Deaf: true})
		p := s.Create(kubelettest.Process("web"))
		pass(soon)
		s.Delete("web")
		s.Create(kubelettest.Process("web"))
		pass(soon)
		require.Equal(t, "False Earlier: it waits for the process of an earlier object of this name to end",
			ready(s.Get("web")))
		require.Equal(t, []machine.Run{{UID: p.UID, Attempt: 1}}, s.Machine.Alive())
		pass(11 * time.Second)
		require.Equal(t, v1alpha1.PhaseRunning, s.Get("web").Status.Phase)
		require.Len(t, s.Machine.Alive(), 1)
	})
}

// A label that comes back finds a process that has got SIGTERM. It is brought to its end, and another one is started.
func TestALabelThatComesBack(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Takes: 3 * time.Second})
		s.Create(kubelettest.Process("web", policy(v1alpha1.RestartNever)))
		pass(soon)
		s.Edit("web", labelled("theirs"))
		pass(soon)
		s.Edit("web", labelled(kubelettest.Name))
		pass(soon)
		require.Equal(t, "False Stopping: it got SIGTERM: the object was another machine's for a while",
			ready(s.Get("web")))
		pass(3 * time.Second)
		require.Equal(t, phase{v1alpha1.PhaseRunning, 143, 0}, phaseOf(s.Get("web")))
	})
}

func TestWhatIsNotOursIsNotTouched(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Create(kubelettest.Process("theirs", labelled("theirs")))
		p := kubelettest.Process("elsewhere")
		p.Namespace = "kube-system"
		s.Create(p)
		pass(soon)
		require.Empty(t, s.Machine.Alive())
		require.Zero(t, s.Saves())
	})
}

func TestStartsGoOnInTheBackgroundSoManyAtOnce(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Slow: time.Second})
		for i := range 10 {
			s.Create(kubelettest.Process(fmt.Sprint("web-", i)))
		}
		pass(soon)
		told := map[string]int{}
		for i := range 10 {
			p := s.Get(fmt.Sprint("web-", i))
			require.Equal(t, v1alpha1.PhasePending, p.Status.Phase)
			told[ready(p)]++
		}
		require.Equal(t, 3, told["False Starting: it is being started"])
		require.Equal(t, 1, told["False Waits: it waits for a start: 6 before it"])
		s.Edit("web-9", env("2")) // one that waits is taken back
		s.Delete("web-8")
		pass(10 * time.Second)
		all, most := s.Machine.Starts()
		require.Equal(t, []int{9, 3}, []int{all, most})
		require.Len(t, s.Machine.Alive(), 9)
		require.EqualValues(t, 2, s.Get("web-9").Status.ObservedGeneration)
	})
}

func TestStartsThatFail(t *testing.T) {
	missing := &machine.StartError{Err: errors.New("no such file")}
	busy := &machine.StartError{Err: errors.New("text file busy"), Retry: true}
	for _, c := range []struct {
		fails          error
		phase          v1alpha1.Phase
		ready, stalled string
		mended         v1alpha1.Phase
	}{
		{missing, v1alpha1.PhaseFailed, "False CantStart: it can't be started: no such file",
			"True CantStart: it can't be started: no such file", v1alpha1.PhaseFailed},
		{busy, v1alpha1.PhasePending, "False TriedAgain: it could not be started, and is tried again: text file busy",
			"False GoesOn: ", v1alpha1.PhaseRunning},
		{errors.New("disk full"), v1alpha1.PhasePending,
			"False TriedAgain: it could not be started, and is tried again: disk full", "False GoesOn: ",
			v1alpha1.PhaseRunning},
	} {
		on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
			s.Machine.Behave("sleep", kubelettest.Behaviour{Fails: c.fails})
			s.Create(kubelettest.Process("web"))
			pass(2 * soon)
			p := s.Get("web")
			require.Equal(t, c.phase, p.Status.Phase)
			require.Equal(t, c.ready, ready(p))
			require.Equal(t, c.stalled, stalled(p))
			s.Machine.Behave("sleep", kubelettest.Behaviour{})
			pass(time.Minute)
			require.Equal(t, phase{c.mended, -1, 0}, phaseOf(s.Get("web")))
			s.Edit("web", env("2")) // another spec is another try
			pass(soon)
			require.Equal(t, phase{v1alpha1.PhaseRunning, ptr.Deref(s.Get("web").Status.ExitCode, -1), 0},
				phaseOf(s.Get("web")))
		})
	}
}

// An object that goes while it is being started is stopped when it runs.
func TestAStartThatGoesOnIsStoppedAfterwards(t *testing.T) {
	on(t, kubelet.Options{}, func(t *testing.T, s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Slow: 5 * time.Second})
		s.Create(kubelettest.Process("web"))
		pass(soon)
		s.Delete("web")
		pass(soon)
		require.Len(t, s.Machine.Alive(), 1)
		pass(5 * time.Second)
		require.Empty(t, s.Machine.Alive())
		all, err := s.Machine.List()
		require.NoError(t, err)
		require.Empty(t, all)
	})
}

func TestAKubeletThatWasNotStartedRunsNothing(t *testing.T) {
	k := kubelet.New(nil, kubelettest.NewMachine(), kubelet.Options{})
	_, err := k.Reconcile(t.Context(), reconcile.Request{})
	require.ErrorContains(t, err, "does not know what runs")
}
