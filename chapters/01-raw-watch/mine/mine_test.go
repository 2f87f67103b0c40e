package main

import (
	"io"
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
			"yours: Decoder, Follow, View",
			"the server ended the watch: EOF", "half an event, and then the end: unexpected EOF",
			"an ERROR with the code 410:", "Your Decoder told three ends apart.",
			"the server ended the watch: Events is closed, and Err is nil", "refused: 422 Invalid",
			"the context was cancelled: Events is closed, and Err is context canceled",
			"Your Follow said of each watch why it ended, and closed each body.",
			"The events come by your Follow.", "DELETED oolong: Left", "DELETED oolong: Gone",
			"your View was equal to a fresh LIST", "Your View knew how far it has come",
		)
		// The view's events come by what is written, and by the book's client where nothing else is.
		demotest.Has(t, demotest.Play(t, demo(pieces{decoder: true, view: true})), "The events come by your Decoder.",
			"your View was equal to a fresh LIST")
		demotest.Has(t, demotest.Play(t, demo(pieces{view: true})), "The events come by the book's client.",
			"your View was equal to a fresh LIST")
	})
}

// Whoever has stage 1 sees it at work, and reads where stage 2 begins.
func TestMineAfterStage1(t *testing.T) {
	const all = "partial/stage1"
	minetest.Run(t, map[string]string{"1-decode": all, "2-follow": all, "3-view": all}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})),
			"Your Decoder returned each event while the response was open, one of 100 kB among them.",
			"Stage 2 of 01.1 is still to be written: half an event, and then the end, and your Next returned EOF, "+
				"where io.ErrUnexpectedEOF is due. make grade EX=01.1 says more.",
			"Your Follow passed on each event, and closed what the server had ended.",
			"Stage 2 of 01.2 is still to be written: the server refused a watch, and your Follow returned a Watch, "+
				"where a *StatusError is due.",
			"your View was equal to a fresh LIST",
			"Stage 2 of 01.3 is still to be written: after the ADDED of oolong your View is at the resourceVersion",
		)
		demotest.Has(t, demotest.Play(t, demo(pieces{decoder: true, view: true})), "The events come by your Decoder.")
	})
}

// Stage 3 is where the next reader goes on.
func TestMineAfterStage2(t *testing.T) {
	const all = "partial/stage2"
	minetest.Run(t, map[string]string{"1-decode": all, "2-follow": all, "3-view": all}, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})),
			"Stage 3 of 01.1 is still to be written: an ERROR with the code 410, and your Next returned an event of "+
				`the type "ERROR", and no error, where a *StatusError with the code 410 is due.`,
			"Stage 3 of 01.2 is still to be written: 5s after the end of the context your Events is open.",
			"Stage 3 of 01.3 is still to be written: your Apply of the DELETED of oolong returned Left, "+
				"where Gone is due.",
		)
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	wrong := map[string]string{"1-decode": "scanner", "2-follow": "body-left-open", "3-view": "deleted-is-gone"}
	minetest.Run(t, wrong, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{decoder: true})),
			"after the POST of big your Next returned the error", "bufio.Scanner: token too long: make grade EX=01.1")
		demotest.Has(t, demotest.Fails(t, demo(pieces{follow: true})),
			"the watch is over, and your Follow left 1 body open:", "make grade EX=01.2")
		demotest.Has(t, demotest.Fails(t, demo(pieces{view: true})),
			"your Apply of the DELETED of oolong returned Gone, where", "Left is due: make grade EX=01.3")
	})
}

// What waits for too much is not waited for.
func TestMineOnWhatWaits(t *testing.T) {
	wrong := map[string]string{"1-decode": "readall", "2-follow": "channel-left-open"}
	minetest.Run(t, wrong, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{decoder: true})),
			"5s after the POST of black your Next has returned", "nothing: make grade EX=01.1")
		demotest.Has(t, demotest.Fails(t, demo(pieces{follow: true})),
			"5s after the end of the watch your Events is open:", "make grade EX=01.2")
	})
}

// An end of the stream that the reader's code made up is not in the chain of the error: the demo would take it for a
// server that went away.
func TestTheReadersErrorIsNoServers(t *testing.T) {
	require.NotErrorIs(t, returned(remove("big"), io.EOF), io.EOF)
	require.EqualError(t, returned(remove("big"), io.EOF),
		"after the DELETE of big your Next returned the error EOF: "+moreDecode)
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: View; the book's: Decoder, Follow", pieces{view: true}.String())
	require.Len(t, demo(pieces{decoder: true, view: true}).Steps, 2)
}
