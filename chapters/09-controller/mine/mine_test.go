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

// everything is what a reader has who has written all.
var everything = pieces{true, true, true, true, true, true, true, true, true, true, true, true, false}

// Whoever has written all sees a whole controller at work, and whoever has written one sees that one among the book's.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		for title, yours := range map[string]pieces{
			"all pieces are yours":                          everything,
			"yours: 09.1, 09.2, 09.3; the book's: the rest": {handler: true, reconcile: true, worker: true},
			"yours: 04.1, 05.1, 05.2, 05.3, 06.1, 07.1; the book's: the rest": {store: true, policy: true, versions: true,
				initial: true, tombstones: true, buffer: true},
			"yours: 08.1, 08.2, 08.3; the book's: the rest": {sets: true, delays: true, backoff: true},
			"yours: 09.2; the book's: the rest":             {reconcile: true},
		} {
			demotest.Has(t, demotest.Play(t, demo(yours, time.Minute)), title,
				"= All 4 places are as they should be.",
				"north/soups somebody's of somebody", "south/soups a mirror of home/soups leek",
				"~ your controller has stopped", "= All 7 places are as they should be.")
		}
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-handlers": "the-start-is-known", "2-reconcile": "version-of-the-source",
		"3-worker": "reported-is-dealt-with"}, func() {
		for exercise, test := range map[string]struct {
			yours pieces
			says  string
		}{
			"09.1": {pieces{handler: true}, "north/menu should have a mirror of home/menu: soup, and has nothing"},
			"09.2": {pieces{reconcile: true}, "has a mirror of home/menu: nothing"},
			"09.3": {pieces{worker: true}, "north/soups should have a mirror of home/soups: leek, and has nothing"},
		} {
			demotest.Has(t, demotest.Fails(t, demo(test.yours, 3*time.Second)), test.says,
				"make grade EX="+exercise+" says more.")
		}
	})
}

// A Queue that is at its third stage has all that a controller asks of it.
func TestMineAfterStage3OfTheQueue(t *testing.T) {
	minetest.Run(t, map[string]string{"08-workqueue/1-two-sets": "partial/stage3"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{sets: true}, time.Minute)), "yours: 08.1; the book's: the rest",
			"= All 7 places are as they should be.")
	})
}

// For one that is not, the book's stands in, which is said.
func TestMineBeforeStage3OfTheQueue(t *testing.T) {
	minetest.Run(t, map[string]string{"08-workqueue/1-two-sets": "partial/stage2"}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{reconcile: true, early: true}, time.Minute)),
			"yours: 09.2; the book's: the rest", "08.1: The workers here wait", "= All 7 places are as they should be.")
	})
}

func TestWhosePieces(t *testing.T) {
	_, err := written()
	require.NoError(t, err)
	require.True(t, pieces{early: true}.none())
	require.True(t, pieces{}.none())
	require.Equal(t, "make grade EX=09.3 says more.", pieces{worker: true}.graders())
	require.Contains(t, pieces{store: true, worker: true}.graders(), "EX=04.1 says more, or that of 09.3")
	require.Equal(t, "all pieces are the book's", pieces{}.String())
	without := everything
	without.tombstones = false
	require.Equal(t, "all pieces are yours but 06.1", without.String())
	require.Equal(t, len((&pieces{}).each()), len(everything.numbers(true)), "everything is all")
}
