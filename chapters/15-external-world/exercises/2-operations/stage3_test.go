// Stage 3: each for one run

package operations_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: news of attempt 1 comes to attempt 2.
func TestOfAnEarlierRun(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x); Apply(north/web, a/2) leaves nothing", "")
}

func TestOfAnotherRun(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x); Apply(north/web, c/1) leaves nothing", "the belief that an attempt's number "+
		"is enough to know a run by. An object that was created anew counts from 1 as well")
	play(t, "Defer(north/web, a/2, x); Apply(north/web, a/1) leaves nothing", "the belief that only earlier runs "+
		"are other runs")
	play(t, "Defer(north/web, a/1, x); Defer(north/web, a/2, y); Defer(north/web, a/1, x); Defer(north/web, a/2, "+
		"z); Apply(north/web, a/2) leaves yz", "the belief that an operation says something about those behind it. "+
		"Each has a run of its own")
	play(t, "Defer(north/web, a/1, x); Apply(north/web, a/2) leaves nothing; Apply(north/web, a/1) leaves nothing",
		"the belief that what does not fit may fit later. An object does not come back to a run, and what waits for "+
			"that waits for ever")
	play(t, "Defer(north/web, a/1, x), which tells; Apply(north/web, a/2) leaves nothing; Defer(north/web, a/2, y), "+
		"which tells; Apply(north/web, a/2) leaves y", "")
}

func TestWhenItsTurnComes(t *testing.T) {
	exercise.Attempted(t)
	const early = "the belief that the run is known when Apply begins. An operation may be the news that there is " +
		"another"
	play(t, "Defer(north/web, a/1, x that moves to a/2); Defer(north/web, a/1, y); Apply(north/web, a/1) leaves x",
		early)
	play(t, "Defer(north/web, a/1, x that moves to a/2); Defer(north/web, a/2, y); Apply(north/web, a/1) leaves xy",
		early)
	play(t, "Defer(north/web, a/2, x); Defer(north/web, a/1, y that moves to a/2); Defer(north/web, a/2, z); "+
		"Apply(north/web, a/1) leaves yz", "")
}

func TestForget(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x); Defer(north/db, b/1, y); Forget(north/web); Apply(north/db, b/1) leaves y; "+
		"Apply(north/web, a/1) leaves nothing", "")
	play(t, "Defer(north/web, a/1, x), which tells; Forget(north/web); Defer(north/web, c/1, y), which tells", "the "+
		"belief that what was told once is known. The run that was told of finds no object, and one that is created "+
		"anew waits for ever")
	play(t, "Defer(north/web, a/1, x); Forget(north/web); Defer(north/web, c/1, y); Apply(north/web, c/1) leaves y", "")
	play(t, "Defer(north/web, a/1, x), which tells; Forget(north/db); Defer(north/web, a/1, y), which tells nobody", "")
	play(t, "Forget(north/web); Apply(north/web, a/1) leaves nothing; Defer(north/web, a/1, x), which tells", "")
}
