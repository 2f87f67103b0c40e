package main

import (
	"testing"

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
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})), "yours: Report, Apply, Save",
			"3 of 3 are healthy, Healthy is True", "nothing is written", "409, and your Report has returned it",
			"the sidecar is put in: 0 replicas, the sidecar proxy:1 with DEBUG, LEVEL",
			"> apply, with force", "2 replicas, the sidecar proxy:1 with LEVEL",
			"the sidecar is gone: 2 replicas and no sidecar",
			"processes started: 1", "409: somebody else has written in between",
			"somebody's annotation, and one process")
		demotest.Has(t, demotest.Play(t, demo(pieces{save: true})), "yours: Save; not written yet: Report, Apply")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-status": "a-conflict-is-nothing", "2-apply": "forces-always",
		"3-both": "one-patch-for-both"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{report: true})),
			"a conflict should be returned after one request: 1 requests, error <nil>", "make grade EX=12.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{apply: true})),
			"it should have 2 replicas", "and has 1 replicas", "make grade EX=12.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{save: true})), "make grade EX=12.3 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: Apply; not written yet: Report, Save", pieces{apply: true}.String())
	require.Len(t, demo(pieces{report: true, save: true}).Steps, 2)
}
