// Stage 3: what the API server answers

package finalizer_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an object that is gone when Run looks. Whoever has seen to NotFound elsewhere has got further.
func TestNotFound(t *testing.T) {
	exercise.Attempted(t)
	after := func(steps ...string) *scene {
		s := newScene(t)
		for _, step := range steps {
			s.step(step)
		}
		return s
	}
	get, adds, takes := after("Create []", "Delete"), after("Create []"), after("Create [ours]", "Delete")
	adds.before["Patch"], takes.before["Patch"] = []string{"Delete"}, []string{"Remove ours"}
	got := get.step("Run")
	elsewhere := adds.step("Run") == "" || takes.step("Run") == "Clean"
	exercise.Expect(t, got == "" || elsewhere, exercise.Verdict{
		Expected: "Create []; Delete; Run: nothing",
		Happened: "what came of the last step: " + got,
	})
}

func TestGone(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create []; Delete; Run: nothing", clues{
		"NotFound": "the belief that only a Patch can find nothing. A deletion leads to a Run, too, and Get finds " +
			"no object",
	})
}

func TestGoneMeanwhile(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create []; at Patch: Delete; Run: nothing", clues{
		"Make": "the belief that what is not there needs no key. The thing would be made for an object that is " +
			"gone, and stay",
		"NotFound": "the belief that a key can only be added to what is there. Somebody has deleted the object " +
			"between " +
			"Get and that Patch, and nothing is left to do",
	})
	play(t, "Create [ours]; Delete; at Patch: Remove ours; Run: Clean", clues{
		"Clean, NotFound": "the belief that a key that can't be taken out is a failure. The object is gone, which " +
			"is what the Patch was for",
	})
}

func TestFailures(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create []; Get fails; Run: its error", clues{
		"": "the belief that an object that can't be read is gone. It will be looked at again only after an error",
	})
	play(t, "Create [ours]; Make fails; Run: Make, its error; Run: Make", clues{"Make": nobodyTries})
	play(t, "Create [ours]; Delete; Clean fails; Run: Clean, its error; Runs: Clean, Patch [], gone",
		clues{"Clean": nobodyTries})
	play(t, "Create []; Patch fails; Run: its error; Runs: Patch [ours], Make", clues{
		"Make": "the belief that to ask for the key is to have it. The Patch may have failed",
		"":     nobodyTries,
	})
	play(t, "Create [ours]; Delete; Patch fails; Run: Clean, its error; Runs: Clean, Patch [], gone",
		clues{"Clean": nobodyTries})
}

const nobodyTries = "the belief that the next Run comes by itself. It comes after an error, or a change, and " +
	"nothing changes here"

func TestConflict(t *testing.T) {
	exercise.Attempted(t)
	const done = "the belief that a Conflict is as good as done. Somebody else has written, and maybe not this"
	play(t, "Create [theirs]; Patch meets a Conflict; Run: Conflict; Runs: Patch [ours theirs], Make", clues{
		"":                          done,
		"Make":                      "the belief that to ask for the key is to have it. The Patch may have failed",
		"Patch [ours theirs]":       again,
		"Patch [ours theirs], Make": again,
	})
	play(t, "Create [ours theirs]; Delete; Patch meets a Conflict; Run: Clean, Conflict; "+
		"Runs: Clean, Patch [theirs]", clues{
		"Clean":                 done,
		"Clean, Patch [theirs]": again,
	})
}

const again = "the belief that a Conflict is settled with one more Patch. What this Run has decided, it has decided " +
	"about an older version"
