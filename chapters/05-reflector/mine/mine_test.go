package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whoever has written all three exercises sees them at work.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		out := demotest.Play(t, demo(pieces{true, true, true}))
		demotest.Has(t, out, "yours: policy, versions, initial events", "After 8 faults, the store equals a fresh LIST")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-policy": "busy-lists", "2-versions": "streams-from-zero",
		"3-initial": "closed-is-the-end"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{policy: true})), `opening a watch ended with "TooManyRequests"`,
			"your policy says: start again", "make grade EX=05.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{versions: true})),
			"your versions' Stream is", "make grade EX=05.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{initial: true})),
			"your Read returned version", "make grade EX=05.3 says more")
	})
}

// The first answer of two versions that differs is told.
func TestVersionsThatDiffer(t *testing.T) {
	var wrong error
	v := &bothVersions{yours: reflector.NewVersions(), book: reflector.NewVersions()}
	v.wrong = func(err error) { wrong = err }
	v.Synced("5")
	v.Opened()
	require.Equal(t, []string{"5", "5", "5", "5"}, []string{v.List(), v.Stream(), v.Watch(), v.Last()})
	require.NoError(t, wrong)
	v.yours.Unavailable()
	v.Stream()
	require.ErrorContains(t, wrong, `your versions' Stream is "", and due is "5"`)
	require.ErrorContains(t, wrong, "make grade EX=05.2 says more")
}

// What Read returns is compared with what the server said.
func TestInitialEventsThatDiffer(t *testing.T) {
	failure, other := errors.New("expired"), errors.New("other")
	complete, broken, failed := &stream{end: "9"}, &stream{closed: true}, &stream{failure: failure, closed: true}
	early := fmt.Errorf("yours: %w", reflector.ErrEndedEarly)
	for _, right := range []string{
		complete.differs("9", nil, 0), broken.differs("", early, 1), failed.differs("", failure, 2),
	} {
		require.Empty(t, right)
	}
	for says, got := range map[string]string{
		"had not sent the end":             broken.differs("5", nil, 0),
		"ends the initial state has \"9\"": complete.differs("5", nil, 0),
		"stopped the watch":                complete.differs("9", nil, 1),
		"did not stop the watch":           broken.differs("", early, 0),
		"had ended the response":           broken.differs("", other, 1),
		"had sent \"expired\"":             failed.differs("", other, 1),
		"nothing had failed":               complete.differs("", other, 1),
	} {
		require.Contains(t, got, says)
	}
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: versions; the book's: policy, initial events", pieces{versions: true}.String())
}
