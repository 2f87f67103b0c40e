package kubelet_test

import (
	"context"
	"flag"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var full = flag.Bool("full", false, "TestRandomHistories: 300 seeds, and not 50")

// In random histories of kills (of the controller, a shim, a process), restarts, edits and deletions the status is
// right once quiet, no process is without its object, no object has two, and no signal goes to another's run.
func TestRandomHistories(t *testing.T) {
	seeds := uint64(50)
	if *full {
		seeds = 300
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) { require.Empty(t, kubelettest.Play(t, seed, 40, nil)) })
		})
	}
}

// blind does not see what the last controller has left.
type blind struct{ kubelet.Machine }

func (blind) List() ([]machine.Seen, error) { return nil, nil }

// deaf does not hear of an end.
type deaf struct{ kubelet.Machine }

func (deaf) Wait(ctx context.Context, _ machine.Run) (machine.Seen, error) {
	<-ctx.Done()
	return machine.Seen{}, ctx.Err()
}

// confused sends signals to the run before.
type confused struct{ kubelet.Machine }

func (c confused) Signal(r machine.Run, s syscall.Signal) error {
	if r.Attempt > 1 {
		r.Attempt--
	}
	return c.Machine.Signal(r, s)
}

// The oracle notices what adopting, watching and the world's key are for.
func TestRandomHistoriesTellWhatIsMissing(t *testing.T) {
	for name, spoil := range map[string]func(kubelet.Machine) kubelet.Machine{
		"adopting":        func(m kubelet.Machine) kubelet.Machine { return blind{m} },
		"watching":        func(m kubelet.Machine) kubelet.Machine { return deaf{m} },
		"the world's key": func(m kubelet.Machine) kubelet.Machine { return confused{m} },
	} {
		t.Run(name, func(t *testing.T) {
			noticed := false
			for seed := uint64(0); seed < 20 && !noticed; seed++ {
				testkit.Bubble(t, func(t *testing.T) { noticed = len(kubelettest.Play(t, seed, 40, spoil)) > 0 })
			}
			require.True(t, noticed, "in 20 histories nothing was wrong without it")
		})
	}
}
