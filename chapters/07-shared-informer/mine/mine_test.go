package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whoever has written all sees the pieces at work, and whoever has written one sees that one among the book's.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		end := []string{
			"in a call - no yes waiting - 0 73 HasSynced yes yes no", // 1
			"in a call - no yes waiting - 0 77 HasSynced yes yes no", // 2
			"in a call - no no waiting - 0 0 HasSynced yes yes yes",  // 3
			"OnAdd, initial list 3 3 OnAdd 1 1 OnUpdate 73 73 OnDelete 1 1",
			"= The store, fast and slow have what a fresh LIST of the server has: bread at",
		}
		out := demotest.Play(t, demo(pieces{true, true, true, true, true}, time.Minute))
		demotest.Has(t, out, append(end, "yours: queue, tombstones, store, buffers, lives",
			"~ the lives of bread: born, died unseen, born",
			"~ the lives of soup: born, changed 71 times", "~ the lives of tea: born, died unseen")...)
		out = demotest.Play(t, demo(pieces{buffer: true}, time.Minute))
		demotest.Has(t, out, append(end, "yours: buffers; the book's: queue, tombstones, store",
			"nobody tells lives")...)
		require.NotContains(t, out, "the lives of")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-buffer": "one-in-hand", "3-recreated": "the-name-is-the-object",
		"04-store/1-index": "replace-merges", "06-delta-fifo/1-gone": "looks-in-the-queue-only",
		"06-delta-fifo/3-batches": "waits-until-full"}, func() {
		for exercise, yours := range map[string]pieces{"07.1": {buffer: true}, "04.1": {store: true},
			"06.1": {tombstones: true}, "06.3": {batches: true}} {
			demotest.Has(t, demotest.Fails(t, demo(yours, 5*time.Second)),
				"what was written on the server has not come", "make grade EX="+exercise+" says more.")
		}
		demotest.Has(t, demotest.Fails(t, demo(pieces{lives: true}, time.Minute)),
			"! the lives of bread: born, died unseen, born", "make grade EX=07.3 says more.")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: store, lives; the book's: queue, tombstones, buffers",
		pieces{store: true, lives: true}.String())
	require.Contains(t, pieces{store: true}.graders(), "make grade EX=04.1 says more.")
	require.Contains(t, pieces{store: true, buffer: true, lives: true}.graders(),
		"EX=04.1 says more, or that of 07.1, 07.3")
}
