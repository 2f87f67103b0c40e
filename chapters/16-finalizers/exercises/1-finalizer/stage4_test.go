// Stage 4 (hard): others write, too

package finalizer_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: while Clean works, the object goes, and another one gets the name.
func TestAnotherOfTheName(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t)
	s.step("Create [ours]")
	s.step("Delete")
	s.before["Clean"] = []string{"Remove ours", "Create [theirs]"}
	got := s.step("Run, whatever it returns")
	exercise.Expect(t, s.has("theirs"), exercise.Verdict{
		Expected: "Create [ours]; Delete; at Clean: Remove ours; at Clean: Create [theirs]; Run; the new object " +
			"keeps theirs",
		Happened: "what came of the last step: " + got + ". The new object has lost theirs",
	})
	play(t, "Create [ours]; Delete; at Clean: Remove ours; at Clean: Create [theirs]; "+
		"Run, whatever it returns: Clean; Runs: Patch [ours theirs], Make", nil)
}

func TestAnotherVersion(t *testing.T) {
	exercise.Attempted(t)
	const older = "the belief that what was read a moment ago is what is there. The object is the same, and its " +
		"list is another by now"
	play(t, "Create []; at Patch: Add theirs; Run: Conflict; Runs: Patch [ours theirs], Make", clues{
		"Patch [ours]":       older,
		"Patch [ours], Make": older,
	})
	play(t, "Create []; at Get: Add theirs; at Patch: Remove theirs; Run: Conflict; Runs: Patch [ours], Make", nil)
	play(t, "Create [ours theirs]; Delete; at Patch: Remove theirs; Run: Clean, Conflict; "+
		"Runs: Clean, Patch [], gone", nil)
	play(t, "Create []; at Patch: Delete; at Patch: Create [theirs]; Run: Conflict; "+
		"Runs: Patch [ours theirs], Make", nil)
}

func TestSharedObjects(t *testing.T) {
	exercise.Attempted(t)
	playShared(t, "Create [theirs]; Patch fails; Run: its error; "+
		"Runs: Patch [ours theirs], Make", clues{"Make": isCaches})
	playShared(t, "Create [ours theirs]; Delete; Patch fails; Run: Clean, its error; Runs: Clean, Patch [theirs]",
		clues{"": "the belief that slices.DeleteFunc makes a list. It writes into the one that it is given, which " +
			"is the cache's"})
	playShared(t, "Create [theirs]; Runs: Patch [ours theirs], Make; Delete; Runs: Clean, Patch [theirs]", nil)
}

func TestContextEnds(t *testing.T) {
	exercise.Attempted(t)
	const first = "the belief that a context is for the first call alone. Each later one is to end with it"
	play(t, "Create []; at Get: the context ends; Run: the context's error", clues{"Patch [ours], Make": first,
		"Patch [ours]": first})
	play(t, "Create []; at Patch: the context ends; Run: the context's error", clues{"Patch [ours]": first,
		"Patch [ours], Make": first})
	play(t, "Create [ours]; at Make: the context ends; Run: Make, the context's error", clues{"Make": first})
	play(t, "Create [ours]; Delete; at Clean: the context ends; Run: Clean, the context's error", clues{
		"Clean": first, "Clean, Patch [], gone": first})
}
