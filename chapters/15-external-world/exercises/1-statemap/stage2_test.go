// Stage 2: another run, or none

package statemap_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an object is gone.
func TestDelete(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Delete(north/web); ByObject(north/web): not found; ByRun(a/1): not found",
		"")
}

func TestDeleteOfOne(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Delete(north/web); ByObject(north/db): b/1, "+
		"Running; ByRun(b/1): north/db, Running", "")
	play(t, "Put(north/web, a/1, Running); Delete(north/web); Put(north/db, a/1, Running); ByRun(a/1): north/db, "+
		"Running",
		"the belief that nobody comes after what is gone. Its run may be found with another object")
	play(t, "Delete(north/web); ByObject(north/web): not found; Put(north/web, a/1, Running); ByRun(a/1): "+
		"north/web, Running", "")
}

func TestRestart(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Ended); Put(north/web, a/2, Running); ByRun(a/1): not found", "the belief that who "+
		"is told of a new run forgets the old one. Late news of a/1 would be taken for news of a/2")
	play(t, "Put(north/web, a/1, Ended); Put(north/db, b/1, Running); Put(north/web, a/2, Running); "+
		"ByRun(b/1): north/db, Running; ByRun(a/2): north/web, Running", "")
	play(t, "Put(north/web, a/1, Ended); Put(north/web, a/2, Ended); Put(north/web, a/3, Running); ByRun(a/2): not "+
		"found; ByRun(a/1): not found; ByRun(a/3): north/web, Running", "")
	play(t, "Put(north/web, a/2, Running); Put(north/web, a/1, Running); ByRun(a/2): not found", "the belief that a "+
		"new run has the higher number. A map that is told of a run looks for nothing else")
	play(t, "Put(north/web, a/1, Running); Put(north/web, c/1, Running); ByRun(a/1): not found", "the belief that a "+
		"run ends with a restart alone. An object that was created anew has another UID")
}

func TestTaken(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Put(north/db, a/1, Running) is refused: ErrTaken", "the belief that the "+
		"last one is right. Two objects would have one process, and one of them never learns of its end")
	play(t, "Put(north/web, a/1, Running); Put(north/db, a/1, Ended) is refused: ErrTaken; ByRun(a/1): north/web, "+
		"Running; ByObject(north/web): a/1, Running; ByObject(north/db): not found", halfDone)
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Put(north/db, a/1, Ended) is refused: "+
		"ErrTaken; ByObject(north/db): b/1, Running", halfDone)
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Put(north/db, a/1, Ended) is refused: "+
		"ErrTaken; ByRun(b/1): north/db, Running", halfDone)
	play(t, "Put(north/web, a/1, Running); Put(north/web, a/1, Ended); Put(north/web, a/2, Running); "+
		"Put(north/db, a/1, Running); ByRun(a/1): north/db, Running", "")
}

const halfDone = "the belief that a refusal can come after the first change. What is refused has to leave " +
	"everything as it was"

func TestNoRun(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, none, Pending); ByObject(north/web): none, Pending", "")
	play(t, "Put(north/web, none, Pending); Put(north/db, none, Pending)", "the belief that no run is a run like "+
		"another. Of two objects that have not been started yet, one would be refused")
	play(t, "Put(north/web, none, Pending); ByRun(none): not found", "the belief that what has no key is found by "+
		"its absence. News without a run is about nobody")
	play(t, "Put(north/web, a/1, Ended); Put(north/web, none, Pending); ByRun(a/1): not found; "+
		"ByObject(north/web): none, Pending; Put(north/web, a/2, Running); ByRun(a/2): north/web, Running", "")
	play(t, "Put(north/web, none, Pending); Delete(north/web); ByObject(north/web): not found", "")
}
