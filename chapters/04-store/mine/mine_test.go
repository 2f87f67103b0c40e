package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whoever has written all three exercises sees them at work.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		out := demotest.Play(t, demo(pieces{true, true, true}))
		for _, conclusion := range []string{
			"yours: store, index of sets, detector", "finds in your store is what a fresh LIST of the server has",
			"has what the server's objects say", "~ carrot: soup; flour: cake; rye: bread; salt: soup",
			"received by baker", "knows of a write",
		} {
			require.Contains(t, out, conclusion)
		}
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-index": "deletes-from-the-items", "2-sets": "union",
		"3-mutation": "pointer-kept-for-comparison"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{store: true})), "your store finds:",
			"make grade EX=04.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{sets: true})), "by the API server's objects it is:",
			"make grade EX=04.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{detector: true})), "make grade EX=04.3 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: index of sets; the book's: store, detector", pieces{sets: true}.String())
	require.Len(t, demo(pieces{sets: true, store: true}).Steps, 2)
}
