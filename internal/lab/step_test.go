package lab

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A step whose code is not the reader's may take its time to put things away.
func TestAStepMayEndLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errStepLimit)
		ended := make(chan error, 1)
		time.AfterFunc(readersGrace+grace-time.Second, func() { ended <- errors.New("late") })
		require.EqualError(t, awaitStep(ctx, ended), "late")
	})
}

// One that does not return at all ends all the same.
func TestAStepThatDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errStepLimit)
		require.ErrorIs(t, awaitStep(ctx, make(chan error)), errStepLimit)
	})
}

// The reader's code is named, where it waits and where it panics.
func TestTheReadersCode(t *testing.T) {
	const place = "chapters/10-custom-resource/exercises/3-url/exercise.go:84\nmake grade EX=10.3 says more"
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errInterrupted)
		ended, release := make(chan error, 1), make(chan struct{})
		go func() { readersWait(release); ended <- nil }()
		begin := time.Now()
		require.ErrorContains(t, awaitStep(ctx, ended), "your code has not returned\nit was at "+place)
		require.Equal(t, readersGrace, time.Since(begin))
		close(release)
		require.NoError(t, <-ended)
	})
	err := runStep(t.Context(), Step{Run: func(context.Context, *Lab) error { readersPanic(nil); return nil }},
		&Lab{Cluster: &Cluster{}})
	require.ErrorContains(t, err, "your code has panicked: assignment to entry in nil map")
	require.ErrorContains(t, err, "chapters/10-custom-resource/exercises/3-url/exercise.go:90\nmake grade EX=10.3 says more")
}

// What these are called from is taken for an exercise.
//
//line chapters/10-custom-resource/exercises/3-url/exercise.go:84
func readersWait(release chan struct{}) { <-release }

//line chapters/10-custom-resource/exercises/3-url/exercise.go:90
func readersPanic(m map[string]bool) { m["a"] = true }
