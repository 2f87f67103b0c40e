package main

import (
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) {
	machine.RunIfShim()
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	cluster.Main(m)
}

// Whoever has written all three exercises sees them at work, one after the other.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"yours: state map, operations, starts",
			"web attempt 2", "attempt 1 nothing", "attempt 2 web", "nothing is left under either key",
			"your Apply has called each once", "was dropped: web runs as attempt 2",
			"6 starts were handed over at once: 2 have begun, and 4 wait",
			"was never started: it was gone before its turn came")
	})
}

// Whoever has stage 1 of each sees it at work, and reads which one is next.
func TestMineAfterStage1(t *testing.T) {
	first := map[string]string{
		"1-statemap": "partial/stage1", "2-operations": "partial/stage1", "3-starts": "partial/stage1",
	}
	minetest.Run(t, first, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"Stage 2 of 15.1 is still to be written: web is gone, and your Map still finds it",
			"Stage 3 of 15.2 is still to be written: your Apply has called an operation of attempt 1",
			"Stage 2 of 15.3 is still to be written: 6 starts went on at once")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineAttemptThatStays(t *testing.T) {
	minetest.Run(t, map[string]string{"1-statemap": "old-run-stays"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{statemap: true}, time.Minute)),
			"attempt 1 should find nothing: it finds web", "make grade EX=15.1 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Len(t, demo(pieces{statemap: true, starts: true}, time.Second).Steps, 2)
}
