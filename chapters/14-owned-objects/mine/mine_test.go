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

// Whoever has written all three exercises sees them at work, one after the other in one namespace. What each step shows
// is tested beside it.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true}, time.Minute)),
			"yours: expectations, names, claim", "the watch is held: 2 made, 0 in the cache, and", "runs did nothing",
			"the watch goes on: 3 made, with one for the request that failed, and 3 in the cache",
			"The set has three Processes alive", "only the API server says whether there is such a set")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: names; not written yet: expectations, claim", pieces{names: true}.String())
	require.Len(t, demo(pieces{expectations: true, claim: true}, time.Second).Steps, 2)
}
