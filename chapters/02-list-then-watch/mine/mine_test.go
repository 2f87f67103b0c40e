package main

import (
	"slices"
	"testing"
	"time"

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
			"yours: state machine, list, delays", "The names are those of a fresh LIST", "Longer after each failure",
			"Your view equals a fresh LIST",
			"FAULT    cut", "FAULT    close", "FAULT    expired",
		} {
			require.Contains(t, out, conclusion)
		}
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-resume": "list-merges", "3-backoff": "no-backoff"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{delays: true})),
			"your Keep waited 0s after failure 1, and at least 200ms are due")
		demotest.Has(t, demotest.Fails(t, demo(pieces{machine: true})),
			"fire-1 was deleted, and 15s later it is still")
	})
}

// A delay is neither shorter than what is due nor so long that it grows no more.
func TestRightDelays(t *testing.T) {
	const ms = time.Millisecond
	for _, wrong := range []struct {
		milliseconds []time.Duration
		says         string
	}{
		{[]time.Duration{200, 200, 200, 3000, 0}, "waited 200ms after failure 2, and at least 400ms are due"},
		{[]time.Duration{2000, 2000, 2000, 3000, 0}, "waited 2s after failure 1, and at most 400ms are due"},
		{[]time.Duration{200, 400, 800, 1600, 0}, "waited 1.6s after failure 4, and at least 3s are due"},
		{[]time.Duration{200, 400, 800, 3000, 2000}, "waited 2s after an end in good order, and no delay is due"},
	} {
		waited := slices.Clone(wrong.milliseconds)
		for i := range waited {
			waited[i] *= ms
		}
		require.ErrorContains(t, rightDelays(waited), wrong.says)
	}
	require.NoError(t, rightDelays([]time.Duration{390 * ms, 700 * ms, 900 * ms, 3100 * ms, ms}))
	require.NoError(t, rightDelays([]time.Duration{1800 * ms, 2 * time.Second, 3 * time.Second,
		4 * time.Second, time.Second}),
		"a slow machine")
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: list; the book's: state machine, delays", pieces{list: true}.String())
	require.Len(t, demo(pieces{list: true, machine: true}).Steps, 2)
}
