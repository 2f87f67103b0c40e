// Stage 1: found under both keys

package statemap_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: two objects, each found under two keys.
func TestBothKeys(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); ByObject(north/web): a/1, Running", "")
	play(t, "Put(north/web, a/1, Running); ByRun(a/1): north/web, Running", "")
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Ended); ByRun(a/1): north/web, Running; "+
		"ByRun(b/1): north/db, Ended; ByObject(north/web): a/1, Running; ByObject(north/db): b/1, Ended", "")
}

func TestUnknown(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ByObject(north/web): not found", "")
	play(t, "ByRun(a/1): not found", "")
	play(t, "Put(north/web, a/1, Running); ByObject(south/web): not found", "the belief that a name is enough to know "+
		"an object by. Another namespace may have the same name")
	play(t, "Put(north/web, a/2, Running); ByRun(a/1): not found", "the belief that a UID is enough to know a run by. "+
		"The news of an earlier run would be taken for that of the present one")
	play(t, "Put(north/web, a/1, Running); ByRun(b/1): not found", "")
}

func TestPutAgain(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Put(north/web, a/1, Ended); ByObject(north/web): a/1, Ended; ByRun(a/1): "+
		"north/web, Ended", "the belief that the two keys lead to two states. What is put anew under one is old "+
		"under the other")
	play(t, "Put(north/web, a/1, Ended); Put(north/web, a/2, Running); ByObject(north/web): a/2, Running; "+
		"ByRun(a/2): north/web, Running", "")
}
