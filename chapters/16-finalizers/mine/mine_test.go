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
			"yours: finalizer, clean-up, hierarchy",
			"409 Conflict: your Patch of web", "yours there there", "example.com/audit there there",
			"your key is out, the machine has forgotten web, and example.com/backup still holds it",
			"Your key was there before the process, and went after it.",
			"your calls: Stop, Keep fails, Run fails, Keep, Forget fails, Run fails, Forget",
			"the archive has of web: began, saved", "your calls: Stop, Kill, Keep",
			"The log outlives the folder, and the object has gone last.",
			"web-2 is being deleted", "web-2 is gone", "web-1 is being deleted", "web-1 is gone",
			"web-0 is being deleted", "web-0 is gone", "Each child was gone before the next one was deleted",
			"your Run has left them to nobody")
	})
}

// Whoever has stage 1 of each sees it at work, and reads which one is next.
func TestMineAfterStage1(t *testing.T) {
	first := map[string]string{
		"1-finalizer": "partial/stage1", "2-cleanup": "partial/stage1", "3-hierarchy": "partial/stage1",
	}
	minetest.Run(t, first, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"Stage 2 of 16.1 is still to be written: web was deleted, and the book has cleaned up",
			"Stage 2 of 16.2 is still to be written: the archive had no room at first, and the log of web is lost",
			"Stage 2 of 16.3 is still to be written. It waits for a child that is being deleted",
			"Stage 2 of 16.3 is still to be written: web-9 is nobody's child, and your Run has deleted it")
	})
}

// Whoever has all but the hard stages reads what they are about.
func TestMineBeforeTheHardStages(t *testing.T) {
	third := map[string]string{
		"1-finalizer": "partial/stage3", "2-cleanup": "partial/stage3", "3-hierarchy": "partial/stage3",
	}
	minetest.Run(t, third, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"Stage 4 of 16.1 is still to be written: somebody added example.com/audit between your Get and your Patch",
			"Stage 4 of 16.2 is still to be written: deaf did not end when it was asked to",
			"Each child was gone before the next one was deleted",
			"Stage 4 of 16.3 is still to be written: a set that is deleted with --cascade=orphan")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineWrong(t *testing.T) {
	wrong := map[string]string{
		"1-finalizer": "made-first", "2-cleanup": "log-at-any-time", "3-hierarchy": "all-at-once",
	}
	minetest.Run(t, wrong, func() {
		for _, c := range []struct {
			only pieces
			says []string
		}{
			{pieces{finalizer: true}, []string{"web was made, and did not have your key",
				"make grade EX=16.1 says more"}},
			{pieces{cleanup: true}, []string{"the log was kept before", "make grade EX=16.2 says more"}},
			{pieces{hierarchy: true}, []string{"what happened: web-2 is being deleted, web-1 is being deleted",
				"make grade EX=16.3 says more"}},
		} {
			demotest.Has(t, demotest.Fails(t, demo(c.only, time.Minute)), c.says...)
		}
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Len(t, demo(pieces{finalizer: true, hierarchy: true}, time.Second).Steps, 2)
}
