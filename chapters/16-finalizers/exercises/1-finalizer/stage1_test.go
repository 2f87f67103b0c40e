// Stage 1: the key, and then the thing

package finalizer_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: a new object.
func TestKeyAndThing(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t)
	s.step("Create []")
	got := s.step("Runs")
	exercise.Expect(t, s.has("ours") && s.made > 0, exercise.Verdict{
		Expected: "Create []; Runs; the object has the key ours, and Make was called",
		Happened: "what came of the last step: " + orNothing(got),
	})
}

func TestOnce(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create [ours]; Run: Make", clues{
		"Patch [ours ours], Make": addedEachTime,
		"Patch [ours ours]":       addedEachTime,
		"Make, Patch [ours ours]": addedEachTime,
		"": "the belief that what has the key has been made. The controller may have died " +
			"between the two",
	})
	play(t, "Create [ours]; Runs: Make", nil)
}

func TestBefore(t *testing.T) {
	exercise.Attempted(t)
	const later = "the belief that the key can follow. When the controller dies between the two, a delete leaves " +
		"the thing behind"
	play(t, "Create []; Runs: Patch [ours], Make", clues{
		"Make, Patch [ours]":       later,
		"Make, Patch [ours], Make": later,
	})
	play(t, "Create []; Runs: Patch [ours], Make; Runs: Make", nil)
}

const addedEachTime = "the belief that the API server keeps a key once. The list is kept as it comes"

func TestOthersKeys(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create [theirs]; Runs: Patch [ours theirs], Make", clues{
		"Patch [ours], Make": "the belief that a merge patch adds to a list. It puts the list in the place of the " +
			"one that is there",
		"Make": "the belief that one key holds an object for all. Theirs goes when their clean-up is done",
	})
	play(t, "Create [theirs ours]; Runs: Make", nil)
	play(t, "Create [ours theirs ours2]; Runs: Make", nil)
	play(t, "Create [ours2]; Runs: Patch [ours ours2], Make", clues{
		"Make": "the belief that a key that looks like ours is ours. The machine ours2 has one of its own",
	})
}

func TestAnew(t *testing.T) {
	exercise.Attempted(t)
	const remembered = "the belief that a key once added is there. The object may be another one of the name, or " +
		"somebody has taken the key out"
	play(t, "Create []; Runs: Patch [ours], Make; Remove ours; Runs: Patch [ours], Make", clues{"Make": remembered})
	play(t, "Create []; Runs: Patch [ours], Make; Remove ours; Delete; Create [theirs]; "+
		"Runs: Patch [ours theirs], Make",
		clues{"Make": remembered})
}
