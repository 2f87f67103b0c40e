// Stage 4 (hard): the end of all work

package twosets_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: one item is in the line, and a worker has another.
func TestTheDrainWaits(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a, b; Get returns a; ShutDownWithDrain waits", nil)
}

func TestShutDownWithDrain(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a, b; Get returns a; ShutDownWithDrain waits; Done a; Get returns b; Get returns true; "+
		"Done b, and ShutDownWithDrain returns", clues{
		"Done a, and ShutDownWithDrain returns": "the belief that all is processed when nobody processes anything. " +
			"The next item is in the line",
		"Get returns b, and ShutDownWithDrain returns": "the belief that all is processed when nothing is left in the " +
			"line. A worker has only begun",
		"Done b; a minute later ShutDownWithDrain returns": looking,
		"Done b": "the belief that a call that waits sees what changes. It looks at nothing until somebody wakes it",
	})
	play(t, "Add a; Get returns a; ShutDownWithDrain waits; Add b; Done a, and ShutDownWithDrain returns", clues{
		"Done a": "the belief that a queue is drained first and shut down then. While more comes, that does not end",
	})
	play(t, "ShutDownWithDrain returns; Get returns true", nil)
	play(t, "Add a; Get returns a; Add a; ShutDownWithDrain waits; Done a; Get returns a; "+
		"Done a, and ShutDownWithDrain returns", clues{
		"Done a, and ShutDownWithDrain returns": lineClosed,
	})
	play(t, "Add a; ShutDownWithDrain waits; Get returns a; Done a, and ShutDownWithDrain returns", nil)
	play(t, "Add a, b; Get returns a; Get returns b; ShutDownWithDrain waits; Done b; "+
		"Done a, and ShutDownWithDrain returns", nil)
	play(t, "Add a, b; Get returns a; ShutDownWithDrain waits; ShutDown, and ShutDownWithDrain returns; "+
		"Get returns b; Get returns true", clues{
		"Get returns true": emptyAtTheEnd,
	})
}

// All ways to make five calls about two items, with both ends.
func TestEveryHistoryWithADrain(t *testing.T) {
	exercise.Attempted(t)
	everyHistory(t, 5, "Add a", "Add b", "Get", "Done a", "Done b", "ShutDown", "ShutDownWithDrain")
}

// ShutDownWithDrain, and another call that nothing orders. It is the race detector that has something to say.
func TestCallsBesideADrain(t *testing.T) {
	exercise.Attempted(t)
	oneAtATime(t)
	for _, other := range []string{"Add c", "Len", "Get", "Done a", "ShuttingDown"} {
		atOnce(t, "ShutDownWithDrain", other)
		atOnce(t, other, "ShutDownWithDrain")
	}
}
