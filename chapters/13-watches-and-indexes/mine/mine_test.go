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
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)), "yours: handler, index, Source",
			"it is of cafe, and no longer of shop cafe, shop it is deleted cafe, cart, till",
			"Secret db is created shop, till", "Secret other, which nobody uses -",
			"~ before the start: 1000 notifications, and each has returned", "~ notified again while it runs")
		demotest.Has(t, demotest.Play(t, demo(pieces{source: true}, time.Minute)),
			"yours: Source; not written yet: handler, index")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-map": "the-new-object-is-all", "2-index": "with-the-namespace",
		"3-channel": "before-start-is-too-early"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{handler: true}, time.Minute)),
			"the keys should be cafe, shop, and are cafe", "make grade EX=13.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{index: true}, time.Minute)),
			"Secret db is created: the keys should be shop, till, and are -", "make grade EX=13.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{source: true}, 2*time.Second)),
			"all 100 keys should have a run after their last notification, and 0 have", "make grade EX=13.3 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: index; not written yet: handler, Source", pieces{index: true}.String())
	require.Len(t, demo(pieces{handler: true, source: true}, time.Second).Steps, 2)
}
