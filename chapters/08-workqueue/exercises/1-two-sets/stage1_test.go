// Stage 1: each item once, in line

package twosets_test

import (
	"fmt"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: three items.
func TestInLine(t *testing.T) {
	exercise.Attempted(t)
	atWork(t, "Add a, b, c; Get returns a; Get returns b; Get returns c", nil)
}

// An item that is missing, or comes twice, shows when the next one is taken out: the line is never empty then.
func TestInLineOnce(t *testing.T) {
	exercise.Attempted(t)
	atWork(t, "Add a, a, a; Add b; Get returns a; Get returns b", nil)
	atWork(t, "Add a, b; Add a; Add c; Get returns a; Get returns b; Get returns c", clues{
		"Get returns b": "the belief that an Add gives an item a new place. What changes all the time would never be first",
	})
	atWork(t, "Add a; Get returns a; Done a; Add b, a; Get returns b; Get returns a", nil)
	atWork(t, "Add a, b; Get returns a; Get returns b; Done b; Add b, c; Get returns b; Get returns c", nil)
}

func TestRoomForAll(t *testing.T) {
	exercise.Attempted(t)
	const many = 5_000
	played(t, (*scene).leave, func(s *scene) {
		added := 0
		s.start("Adds", func() string {
			for ; added < many; added++ {
				s.q.Add(fmt.Sprint(added))
			}
			return ""
		})
		s.settle()
		if s.reap(); s.panicked != "" {
			return
		}
		if added < many {
			exercise.Report(t, exercise.Verdict{
				Expected: fmt.Sprintf("nobody calls Get, and %d items are added: no Add waits", many),
				Happened: fmt.Sprintf("after %d the next one waited", added),
				PointsTo: "the belief that there is a size that is enough. The first list of a cluster brings all its " +
					"objects at once",
			})
			return
		}
		for n := range many {
			if got, want := s.step("Get"), fmt.Sprint("Get returns ", n); got != want {
				exercise.Report(t, exercise.Verdict{
					Expected: fmt.Sprintf("%d items were added, 0, 1, 2 and so on: %s in its turn", many, want),
					Happened: past(got),
				})
				return
			}
			s.step(fmt.Sprint("Done ", n))
		}
	})
}
