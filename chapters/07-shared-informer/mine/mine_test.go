package main

import (
	"testing"

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
			"in a call - no yes waiting - 0 4 HasSynced yes yes no", // 1
			"in a call - no yes waiting - 0 7 HasSynced yes yes no", // 2
			"in a call - no no waiting - 0 0 HasSynced yes yes yes", // 3
			"OnAdd, initial list 3 3 OnAdd 1 1 OnUpdate 3 3 OnDelete 1 1",
			"= The store, fast and slow have what a fresh LIST of the server has: bread at",
		}
		out := demotest.Play(t, demo(pieces{true, true, true, true, true}))
		demotest.Has(t, out, append(end, "yours: queue, tombstones, store, buffers, lives",
			"~ lives: bread: born, died unseen, born; cake: born; soup: born, changed, changed; tea: born, died unseen")...)
		out = demotest.Play(t, demo(pieces{buffer: true}))
		demotest.Has(t, out, append(end, "yours: buffers; the book's: queue, tombstones, store", "nobody tells lives")...)
		require.NotContains(t, out, "~ lives")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: store, lives; the book's: queue, tombstones, buffers",
		pieces{store: true, lives: true}.String())
	require.Contains(t, pieces{store: true}.graders(), "make grade EX=04.1 says more.")
	require.Contains(t, pieces{store: true, buffer: true, lives: true}.graders(), "EX=04.1 says more, or that of 07.1, 07.3")
}
