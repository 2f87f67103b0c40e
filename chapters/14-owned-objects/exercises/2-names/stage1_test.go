// Stage 1: the next numbers

package names_test

import (
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: two children are there, and two are missing.
func TestNext(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-0", "web-1"), 2, "web-2, web-3", nil)
}

func TestTheFirst(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, nil, 3, "web-0, web-1, web-2", nil)
	next(t, web, objects("web-0"), 0, "none", nil)
	next(t, web, objects("web-0"), 1, "web-1", nil)
}

func TestGaps(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-0", "web-2", "web-3"), 2, "web-4, web-5", clues{
		"web-3, web-4": "the belief that so many children have so many numbers. Some of those that had one are gone",
		"web-1, web-4": "the belief that a number is free when no child has it. It was a child's, and who has seen that one " +
			"in a log or in a late cache takes the new one for it",
	})
}

func TestAnyOrder(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-1", "web-3", "web-0", "web-2"), 1, "web-4", clues{
		"web-3": "the belief that the last of a list is the newest. A cache keeps no order",
	})
	next(t, web, objects("web-3", "web-0"), 1, "web-4", nil)
}

func TestNumbersAreNoTexts(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-8", "web-9", "web-10"), 2, "web-11, web-12", clues{
		"web-10, web-11": "the belief that names are compared as texts are. As a text 10 comes before 9",
	})
}

func TestNamesOfOthers(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-0", "web-blue"), 1, "web-1", nil)
	next(t, web, objects("web-0", "web-db-30"), 1, "web-1", clues{
		"web-31": "the belief that the number is what stands behind the last dash. This child was adopted, and has its name " +
			"from the set web-db",
	})
	next(t, web, objects("web-0", "blue-7"), 1, "web-1", nil)
	next(t, Owner{Name: "web-db"}, objects("web-db-3"), 1, "web-db-4", clues{
		"web-db-0": "the belief that the number is what stands behind the first dash. Names of sets have dashes, too",
	})
}
