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

// whole are the stages of 08.1.
var whole = climbed{waits: true, drains: true}

// Whoever has written all sees the pieces at work, and whoever has written one sees that one among the book's.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		for title, yours := range map[string]pieces{
			"yours: 07.1, 08.1, 08.2, 08.3":             {true, true, true, true, whole},
			"yours: 08.1; the book's: 07.1, 08.2, 08.3": {sets: true, climbed: whole},
			"yours: 08.2; the book's: 07.1, 08.1, 08.3": {delays: true},
			"yours: 08.3; the book's: 07.1, 08.1, 08.2": {backoff: true},
		} {
			played(t, yours, title, "ShutDownWithDrain is over, and all workers have returned")
		}
	})
}

// played plays the demo to its end.
func played(t *testing.T, yours pieces, says ...string) {
	t.Helper()
	demotest.Has(t, demotest.Play(t, demo(yours, time.Minute)), append(says,
		"bread 51 1 1 1", "soup 51 1 1 1", "tea 1 1 0 1", "the third waits, and 0 keys are in the line",
		"bread 51 2 0 1", "soup 51 2 0 1",
		"1 50ms", "2 100ms", "3 200ms", "4 400ms", "it waited for 50ms again",
		"bread 51 3 0 1", "cake 2 7 0 1", "soup 53 3 1 1", "soup 53 4 0 1",
		"= The last run of each key saw what a fresh LIST of the server has: bread at")...)
}

// A Queue that is not at its last stage works as far as it can, and is told which stage is missing.
func TestMineAfterStage1(t *testing.T) {
	minetest.Run(t, map[string]string{"1-two-sets": "partial/stage1"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{sets: true}, time.Minute)),
			"the book has a lock around it, and waits", "Stage 2 of 08.1 is still to be written:",
			"was with 2 workers at once", "It comes after stage 2 of 08.1.")
	})
}

func TestMineAfterStage2(t *testing.T) {
	minetest.Run(t, map[string]string{"1-two-sets": "partial/stage2"}, func() {
		played(t, pieces{sets: true}, "the book has a lock around it, and waits",
			"ShutDownWithDrain is stage 4 of 08.1", "ShutDown is over, and all workers have returned")
	})
}

func TestMineAfterStage3(t *testing.T) {
	minetest.Run(t, map[string]string{"1-two-sets": "partial/stage3"}, func() {
		played(t, pieces{sets: true, climbed: climbed{waits: true}}, "It drains from stage 4 on",
			"ShutDownWithDrain is stage 4 of 08.1", "ShutDown is over, and all workers have returned")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-two-sets": "what-was-taken-is-out", "2-delays": "timer-of-the-old-head",
		"3-backoff": "forget-takes-one-back"}, func() {
		for exercise, test := range map[string]struct {
			yours pieces
			says  string
		}{
			"08.1": {pieces{sets: true, climbed: whole}, "was with 2 workers at once"},
			"08.2": {pieces{delays: true}, "not every key was processed as it should"},
			"08.3": {pieces{backoff: true}, "cake had succeeded and was forgotten."},
		} {
			demotest.Has(t, demotest.Fails(t, demo(test.yours, 5*time.Second)), test.says,
				"make grade EX="+exercise+" says more.")
		}
	})
}

func TestWhosePieces(t *testing.T) {
	_, err := written()
	require.NoError(t, err)
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: 08.1, 08.3; the book's: 07.1, 08.2", pieces{sets: true, backoff: true}.String())
	require.Contains(t, pieces{sets: true}.graders(), "make grade EX=08.1 says more.")
	require.Contains(t, pieces{buffer: true, sets: true, backoff: true}.graders(),
		"EX=07.1 says more, or that of 08.1, 08.3")
}
