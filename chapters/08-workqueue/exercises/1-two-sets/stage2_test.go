// Stage 2: added while a worker has it

package twosets_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: a worker has a, which is added, and another worker comes.
func TestOneWorkerAnItem(t *testing.T) {
	exercise.Attempted(t)
	atWork(t, "Add a; Get returns a; Add a, b; Get returns b", nil)
}

func TestAddedWhileAWorkerHasIt(t *testing.T) {
	exercise.Attempted(t)
	atWork(t, "Add a; Get returns a; Add a; Done a; Add b; Get returns a; Get returns b", clues{
		"Get returns b": "the belief that an item that a worker has need not be added. The worker may have looked at " +
			"the object already: nobody would see what happened since",
	})
	atWork(t, "Add a; Get returns a; Add a, a; Add a; Done a; Get returns a; Done a; Add b; Get returns b", nil)
	atWork(t, "Add a, b; Get returns a; Add a; Done a; Get returns b; Get returns a", clues{
		"Get returns a": "the belief that an item that was added again goes on at once. One that changes all the time " +
			"would keep all others waiting",
	})
	atWork(t, "Add a; Get returns a; Add a, b; Done a; Get returns b; Get returns a", nil)
	atWork(t, "Add a, b; Get returns a; Get returns b; Add a; Done b; Add c; Get returns c; Done a; Get returns a", nil)
}
