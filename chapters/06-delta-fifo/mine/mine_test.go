package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whoever has written all three exercises sees them at work. Without the first, the book finds what is gone.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})),
			"yours: tombstones, deltas by key, batches", "is found by your Tombstones.",
			"~ [Deleted as a tombstone of cake]", "~ [Updated soup, Deleted soup]",
			"~ [ReplacedAll cake and milk and tea; Deleted as a tombstone of bread]",
			"= The store is what a fresh LIST of the server has: tea at",
			"= The store is what a fresh LIST of the server has: bread at",
			"= The store is what a fresh LIST of the server has: cake at")
		demotest.Has(t, demotest.Play(t, demo(pieces{deltas: true, batches: true})),
			"the book's: tombstones", "is found by the book's RealFIFO.",
			"~ [ReplacedAll cake and milk and tea; Deleted as a tombstone of bread]")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-gone": "looks-at-the-known-only", "2-dedup": "sync-on-top",
		"3-batches": "goes-ahead"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{tombstones: true})),
			"and what has to come is: ! [Added cake] ! [Deleted soup] ! [Deleted as a tombstone of cake]",
			"make grade EX=06.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{deltas: true})),
			"! [Updated soup, Sync soup, Deleted soup]", "make grade EX=06.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{batches: true})),
			"out of your queue came: ! [ReplacedAll bread and soup] ! [Updated soup, Added cake, Updated bread]",
			"make grade EX=06.3 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: deltas by key; the book's: tombstones, batches", pieces{deltas: true}.String())
	require.Len(t, demo(pieces{tombstones: true, batches: true}).Steps, 2)
}
