package main

import (
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}

// Whoever has written all three exercises sees them at work, and whoever has written one sees that one.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"yours: Reconcile, predicate, two controllers",
			"past is gone", "soon is gone", "heir is gone", "~ soon went ", "kept, vague and plain are there, after one run each",
			"= Your predicate has said of each event what the assignment says.",
			"entries=3 size=11", "notes.scratch.example.com/size is managed by the controller size",
			"= Each note has its own manager")
		demotest.Has(t, demotest.Play(t, demo(pieces{notes: true}, time.Minute)), "yours: two controllers",
			"entries=2 size=7")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-result": "somebody-will-tell", "2-predicates": "each-change-is-news",
		"3-two-controllers": "nobody-has-written"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{result: true}, 4*time.Second)),
			"soon should be gone, and is there",
			"make grade EX=11.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{predicate: true}, time.Minute)),
			"write its status: it should be: no run", "make grade EX=11.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{notes: true}, time.Minute)),
			"the note entries should be managed by",
			"make grade EX=11.3 says more")
	})
}

// What goes in time goes, whatever it has cost: how it was waited for is looked at, too.
func TestMineOnWaysToWait(t *testing.T) {
	minetest.Run(t, map[string]string{"1-result": "waits-for-its-moment"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{result: true}, time.Minute)),
			"it has kept a worker from all else", "make grade EX=11.1 says more")
	})
}

func TestMineOnRequeue(t *testing.T) {
	minetest.Run(t, map[string]string{"1-result": "requeue-is-waiting"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{result: true}, time.Minute)), "times: twice is enough",
			"make grade EX=11.1 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: predicate; not written yet: Reconcile, two controllers", pieces{predicate: true}.String())
	require.Len(t, demo(pieces{result: true, notes: true}, time.Second).Steps, 2)
}
