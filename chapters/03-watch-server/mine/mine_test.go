package main

import (
	"regexp"
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
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})),
			"yours: window, loop, store",
			"the newest that is forgotten", "that, and one of something else", "to nobody who has missed nothing",
			"ADDED assam, with the client", "30 events of oolong waited together",
			"your Store 20 20", "the API server 20 20", "No cup was lost",
		)
	})
}

// failure is what a demo that fails prints, with each message in one line, wherever it was wrapped.
func failure(t *testing.T, p pieces) string {
	return wrapped.ReplaceAllString(demotest.Fails(t, demo(p)), " ")
}

var wrapped = regexp.MustCompile(`\n\s*! `)

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	wrong := map[string]string{"1-history": "refuses-the-edge", "2-flush": "flush-per-event", "3-conflict": "forces-it"}
	minetest.Run(t, wrong, func() {
		demotest.Has(t, failure(t, pieces{window: true}),
			"all of it among the last 4 changes, and your Since returned ErrExpired: make grade EX=03.1")
		demotest.Has(t, failure(t, pieces{loop: true}),
			"30 events waited together, and your Serve flushed 31 times: make grade EX=03.2")
		demotest.Has(t, failure(t, pieces{store: true}),
			"on your Store 4 clients added 5 cups each, and", "a write was lost: make grade EX=03.3")
	})
}

// What waits for too much is not waited for.
func TestMineOnWhatWaits(t *testing.T) {
	wrong := map[string]string{"1-history": "gives-what-is-left", "2-flush": "header-waits"}
	minetest.Run(t, wrong, func() {
		demotest.Has(t, failure(t, pieces{window: true}),
			"and a window of 4 no longer has all of it: ErrExpired is due, and your Since returned")
		demotest.Has(t, failure(t, pieces{loop: true}),
			"5s after the request the client has no header from your Serve: make grade EX=03.2")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: loop; the book's: window, store", pieces{loop: true}.String())
	require.Len(t, demo(pieces{window: true, store: true}).Steps, 2)
}
