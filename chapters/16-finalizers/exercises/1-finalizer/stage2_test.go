// Stage 2: being deleted

package finalizer_test

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an object that was made is deleted.
func TestKeyGoes(t *testing.T) {
	exercise.Attempted(t)
	s := newScene(t)
	for _, step := range []string{"Create [ours theirs]", "Runs", "Delete"} {
		s.step(step)
	}
	got := s.step("Runs")
	s.isOut(t, got, clues{
		"Clean": "the belief that a clean-up lets the object go. The API server keeps it until somebody has taken " +
			"the " +
			"last key out",
	})
}

// isOut expects of the last Runs of the opening that Clean was called, and the key is out.
func (s *scene) isOut(t *testing.T, got string, about clues) {
	t.Helper()
	exercise.Expect(t, !s.has("ours") && strings.Contains(got, "Clean"), exercise.Verdict{
		Expected: "Create [ours theirs]; Runs; Delete; Runs; Clean is called, and the key ours is out",
		Happened: "what came of the last step: " + orNothing(got),
		PointsTo: about[got],
	})
}

func TestOrder(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create [ours theirs]; Delete; Run: Clean, Patch [theirs]", clues{
		"Patch [theirs], Clean": "the belief that the key is to go first. When the controller dies between the two, " +
			"nobody cleans up any more",
		"Make, Clean, Patch [theirs]": madeWhileDeleted,
		"Clean, Patch [], gone": "the belief that an object whose clean-up is done may go. Others have not done " +
			"theirs yet",
	})
	play(t, "Create [ours]; Delete; Run: Clean, Patch [], gone", clues{
		"Clean, Patch [ours]": leftOut,
		"Clean":               leftOut,
	})
}

const (
	madeWhileDeleted = "the belief that each object is to be made. What is being deleted will not be needed, and " +
		"cleaning up has no end"
	leftOut = "the belief that a merge patch takes out what it leaves out. An empty list that JSON omits changes " +
		"nothing"
)

func TestOthersStay(t *testing.T) {
	exercise.Attempted(t)
	const turn = "the belief that keys have an order. Each holder cleans up as soon as the object is being deleted"
	play(t, "Create [theirs ours]; Delete; Run: Clean, Patch [theirs]", clues{"": turn})
	play(t, "Create [theirs ours ours2]; Delete; Run: Clean, Patch [ours2 theirs]", nil)
	play(t, "Create [ours theirs]; Runs: Make; Delete; Remove theirs; Runs: Clean, Patch [], gone", nil)
}

func TestNotDone(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create [ours]; Clean is not done; Delete; Run, whatever it returns: Clean; Clean is done; "+
		"Runs: Clean, Patch [], gone", clues{
		"Clean, Patch [], gone": "the belief that a Clean without an error is done. A process that was asked to " +
			"stop still runs",
	})
	play(t, "Create [ours]; Clean fails; Delete; Run, whatever it returns: Clean; Runs: Clean, Patch [], gone", clues{
		"Clean, Patch [], gone": "the belief that a clean-up which fails must not hold the object. Once it is gone, " +
			"nobody tries again",
	})
	play(t, "Create [ours]; Clean fails, and says done; Delete; Run, whatever it returns: Clean; "+
		"Runs: Clean, Patch [], gone", clues{
		"Clean, Patch [], gone": "the belief that done says all. Beside an error it says nothing, and the key is " +
			"to stay",
	})
}

func TestWithoutOurs(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create [theirs]; Delete; Runs: nothing", clues{
		"Invalid": "the belief that each object gets the key. The API server takes no new one while it deletes",
		"Clean": "the belief that whatever is being deleted is to be cleaned up. Without the key nothing was " +
			"made, or it was done",
		"Make": madeWhileDeleted,
		"Clean, Patch [theirs]": "the belief that whatever is being deleted is to be cleaned up. Without the key " +
			"nothing was made, or it was done",
	})
	play(t, "Create [ours theirs]; Delete; Runs: Clean, Patch [theirs]; Runs: nothing", nil)
}
