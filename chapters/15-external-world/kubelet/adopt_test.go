package kubelet_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// between plays something between two controllers: the first one is killed when all is quiet.
func between(t *testing.T, before, meanwhile func(*kubelettest.Site), after func(*testing.T, *kubelettest.Site)) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, 10*time.Millisecond)
		defer s.Close()
		c := s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		before(s)
		pass(soon)
		c.Kill()
		meanwhile(s)
		pass(soon)
		c = s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		defer c.Stop()
		pass(soon)
		after(t, s)
		require.Empty(t, s.Machine.Problems())
	})
}

func TestANewControllerTellsWhatHasEndedMeanwhile(t *testing.T) {
	make := func(s *kubelettest.Site) { s.Create(kubelettest.Process("web", policy(v1alpha1.RestartNever))) }
	between(t, make, func(s *kubelettest.Site) { s.Machine.End("uid-1", 3) }, func(t *testing.T, s *kubelettest.Site) {
		require.Equal(t, phase{v1alpha1.PhaseFailed, 3, 0}, phaseOf(s.Get("web")))
	})
	between(t, make, func(s *kubelettest.Site) { s.Machine.Lose("uid-1") }, func(t *testing.T, s *kubelettest.Site) {
		require.Equal(t, phase{v1alpha1.PhaseFailed, -1, 0}, phaseOf(s.Get("web")))
		require.Contains(t, ready(s.Get("web")), "ExitUnknown")
	})
}

func TestANewControllerWatchesWhatRuns(t *testing.T) {
	make := func(s *kubelettest.Site) { s.Create(kubelettest.Process("web", policy(v1alpha1.RestartNever))) }
	between(t, make, func(*kubelettest.Site) {}, func(t *testing.T, s *kubelettest.Site) {
		all, _ := s.Machine.Starts()
		require.Equal(t, 1, all)
		s.Machine.Kill("uid-1", syscall.SIGTERM)
		pass(soon)
		require.Equal(t, phase{v1alpha1.PhaseFailed, 143, 0}, phaseOf(s.Get("web")))
	})
}

func TestAFolderWithoutAnObjectIsStoppedAndForgotten(t *testing.T) {
	make := func(s *kubelettest.Site) { s.Create(kubelettest.Process("web")) }
	for _, meanwhile := range []func(*kubelettest.Site){
		func(s *kubelettest.Site) { s.Delete("web") },
		func(s *kubelettest.Site) { s.Delete("web"); s.Machine.End("uid-1", 0) },
		func(s *kubelettest.Site) { s.Edit("web", labelled("theirs")) },
		func(s *kubelettest.Site) { // two folders for one name: two controllers were at work
			s.Delete("web")
			spec := machine.Spec{Run: machine.Run{UID: "other", Attempt: 1}}
			spec.Object.Namespace, spec.Object.Name = kubelettest.Namespace, "web"
			s.Machine.Leave(spec)
		},
		func(s *kubelettest.Site) { // a folder that does not say whose it is
			s.Delete("web")
			s.Machine.Leave(machine.Spec{Run: machine.Run{UID: "nobody"}})
		},
	} {
		between(t, make, meanwhile, func(t *testing.T, s *kubelettest.Site) {
			all, err := s.Machine.List()
			require.NoError(t, err)
			require.Empty(t, all)
		})
	}
}

// How often a process was started again, and that it can't be, is in the folder.
func TestANewControllerGoesOnCounting(t *testing.T) {
	ends := func(s *kubelettest.Site) {
		s.Create(kubelettest.Process("web"))
		for range 2 {
			pass(soon)
			s.Machine.End("uid-1", 1)
			pass(2 * time.Second)
		}
	}
	between(t, ends, func(s *kubelettest.Site) { s.Machine.End("uid-1", 1) }, func(t *testing.T, s *kubelettest.Site) {
		require.Equal(t, phase{v1alpha1.PhaseRestarting, 1, 2}, phaseOf(s.Get("web")))
		pass(4 * time.Second)
		require.Equal(t, phase{v1alpha1.PhaseRunning, 1, 3}, phaseOf(s.Get("web")))
	})
	cant := func(s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Fails: &machine.StartError{Err: fmt.Errorf("no such file")}})
		s.Create(kubelettest.Process("web"))
	}
	between(t, cant, func(*kubelettest.Site) {}, func(t *testing.T, s *kubelettest.Site) {
		require.Equal(t, "True CantStart: it can't be started: no such file", stalled(s.Get("web")))
		all, _ := s.Machine.Starts()
		require.Equal(t, 1, all)
	})
}

// The grace begins anew with a new controller.
func TestANewControllerBeginsAStopAnew(t *testing.T) {
	begin := func(s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Deaf: true})
		s.Create(kubelettest.Process("web"))
		pass(soon)
		s.Delete("web")
		pass(6 * time.Second)
	}
	between(t, begin, func(*kubelettest.Site) {}, func(t *testing.T, s *kubelettest.Site) {
		pass(20 * time.Second)
		require.Empty(t, s.Machine.Alive())
		require.Len(t, signals(s), 3)
	})
}

// A controller that the last one has left a start to waits for it.
func TestANewControllerFindsAStartThatGoesOn(t *testing.T) {
	begin := func(s *kubelettest.Site) {
		s.Machine.Behave("sleep", kubelettest.Behaviour{Slow: 3 * time.Second})
		s.Create(kubelettest.Process("web"))
	}
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, 10*time.Millisecond)
		defer s.Close()
		c := s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		begin(s)
		pass(soon)
		c.Gate.Kill()
		next := s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		defer next.Stop()
		pass(soon)
		require.Equal(t, "False Starting: it is being started", ready(s.Get("web")))
		pass(3 * time.Second)
		c.Stop()
		require.Equal(t, phase{v1alpha1.PhaseRunning, -1, 0}, phaseOf(s.Get("web")))
		all, _ := s.Machine.Starts()
		require.Equal(t, 1, all)
		require.Empty(t, s.Wrong())
	})
}

// A controller that is killed at any of its steps, before or after it is done, leaves nothing that the next one does
// not bring to the same end.
func TestAControllerIsKilledAtItsNthStep(t *testing.T) {
	for _, after := range []bool{false, true} {
		for step := 1; step <= 20; step++ {
			t.Run(fmt.Sprint("step ", step, " ", after), func(t *testing.T) { killedAt(t, step, after) })
		}
	}
}

func killedAt(t *testing.T, step int, after bool) {
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, 10*time.Millisecond)
		defer s.Close()
		gate := kubelettest.NewGate(step, after)
		c := s.Begin(kubelet.Options{}, gate)
		p := s.Create(kubelettest.Process("web"))
		s.Create(kubelettest.Process("gone"))
		pass(soon)
		s.Machine.End(p.UID, 3)
		s.Edit("web", env("2"))
		s.Delete("gone")
		pass(soon)
		select {
		case <-gate.Killed():
		default:
			t.Logf("%d steps were all", gate.Steps())
		}
		c.Kill()
		c = s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		defer c.Stop()
		pass(10 * time.Second)
		require.Empty(t, s.Wrong())
		p = s.Get("web")
		require.Equal(t, v1alpha1.PhaseRunning, p.Status.Phase)
		require.EqualValues(t, 2, p.Status.ObservedGeneration)
		require.Equal(t, []types.UID{p.UID}, uids(s.Machine.Alive()))
	})
}

func uids(all []machine.Run) (uids []types.UID) {
	for _, r := range all {
		uids = append(uids, r.UID)
	}
	return uids
}
