// Stage 1: in order, each once

package operations_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an operation, and the run that applies it.
func TestApplied(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x); Apply(north/web, a/1) leaves x", "")
}

func TestInOrder(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Apply(north/web, a/1) leaves nothing", "")
	play(t, "Defer(north/web, a/1, x); Defer(north/web, a/1, x); Apply(north/web, a/1) leaves xx",
		"the belief that the last news is all of it. An operation says what to do, and one does not stand for another")
	play(t, "Defer(north/web, a/1, x); Defer(north/web, a/1, y); Apply(north/web, a/1) leaves xy", "")
	play(t, "Defer(north/web, a/1, x); Defer(north/web, a/1, y); Defer(north/web, a/1, x); Defer(north/web, a/1, z); "+
		"Apply(north/web, a/1) leaves xyxz", "")
}

func TestOnce(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x); Apply(north/web, a/1) leaves x; Apply(north/web, a/1) leaves nothing", "the "+
		"belief that a run begins from nothing, and all that has happened is played again. The state has it already")
	play(t, "Defer(north/web, a/1, x); Apply(north/web, a/1) leaves x; Defer(north/web, a/1, y); Defer(north/web, "+
		"a/1, z); Apply(north/web, a/1) leaves yz; Apply(north/web, a/1) leaves nothing", "")
}

func TestOfOneObject(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/db, b/1, x); Apply(north/web, a/1) leaves nothing", "the belief that what waits is one line. "+
		"The run of one object would take what is meant for another")
	play(t, "Defer(north/db, b/1, x); Apply(north/web, a/1) leaves nothing; Apply(north/db, b/1) leaves x", "")
	play(t, "Defer(north/db, a/1, x); Defer(north/web, a/1, y); Apply(north/web, a/1) leaves y; "+
		"Apply(north/db, a/1) leaves x", "")
	play(t, "Defer(north/web, a/1, x); Defer(south/web, a/1, y); Apply(south/web, a/1) leaves y; "+
		"Apply(north/web, a/1) leaves x", "")
}
