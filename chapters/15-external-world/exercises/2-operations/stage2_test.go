// Stage 2: told once, and what comes meanwhile

package operations_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/2-operations"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: an operation comes to wait.
func TestTold(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x), which tells", "")
}

func TestToldOnce(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Defer(north/web, a/1, x), which tells; Defer(north/web, a/1, y), which tells nobody", "the belief that "+
		"each operation needs a run. One run applies all that wait")
	play(t, "Defer(north/web, a/1, x), which tells; Defer(north/db, b/1, y), which tells", "the belief that one "+
		"telling does for all objects. A run is of one object, and applies nothing of another's")
	play(t, "Defer(north/web, a/1, x), which tells; Defer(north/db, b/1, y), which tells; Defer(north/web, a/1, z), "+
		"which tells nobody",
		"")
	play(t, "Defer(north/web, a/1, x), which tells; Apply(north/web, a/1) leaves x, and tells nobody; "+
		"Defer(north/web, a/1, y), which tells", "the belief that who was told once looks for ever. The run has "+
		"been, and nothing leads to another")
	play(t, "Defer(north/web, a/1, x), which tells; Defer(north/db, b/1, y), which tells; Apply(north/db, b/1) "+
		"leaves y; Defer(north/web, a/1, z), which tells nobody; Defer(north/db, b/1, z), which tells", "")
}

func TestMeanwhile(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	play(t, "Defer(north/web, a/1, x that defers y); Defer(north/web, a/1, z); Apply(north/web, a/1) leaves xz",
		"the belief that a run may go on while there is something to apply. Where each operation leads to another, "+
			"the run has no end")
	play(t, "Defer(north/web, a/1, x that defers y); Apply(north/web, a/1) leaves x; Apply(north/web, a/1) leaves y",
		"the belief that a list can be emptied when it has been worked off. What came meanwhile is on it, and is lost")
	play(t, "Defer(north/web, a/1, x that defers y); Defer(north/web, a/1, v that defers w); Defer(north/web, a/1, "+
		"z); Apply(north/web, a/1) leaves xvz; Defer(north/web, a/1, u); Apply(north/web, a/1) leaves ywu", "")
	play(t, "Defer(north/web, a/1, x that defers y), which tells; Apply(north/web, a/1) leaves x, and tells", "the "+
		"belief that a run that is under way needs no telling. It has taken what it applies, and the new operation "+
		"waits for another run")
	play(t, "Defer(north/web, a/1, x that defers y); Apply(north/web, a/1) leaves x, and tells; "+
		"Defer(north/web, a/1, z), which tells nobody; Apply(north/web, a/1) leaves yz", "")
}

const lockIsHeld = "the belief that a lock may be held while somebody else's code is called. That code may call " +
	"these methods, and " +
	"waits for itself"

var lockHeld = exercise.HangMeans(lockIsHeld)

// notify may be what runs the controller.
func TestNotifyApplies(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	var o *Operations
	left := "nothing"
	o = New(func(object types.NamespacedName) {
		s := State{Run: Run{"a", 1}}
		if err := o.Apply(object, &s); err == nil && s.Phase != "" {
			left = s.Phase
		}
	})
	o.Defer(web, Run{"a", 1}, func(s *State) { s.Phase += "x" })
	exercise.Expect(t, left == "x", exercise.Verdict{
		Expected: "notify calls Apply(north/web, a/1); Defer(north/web, a/1, x), and that Apply leaves x",
		Happened: "it left " + left,
		PointsTo: "the belief that a run takes its time to begin. One that is told too early finds nothing, and " +
			"nobody tells it again",
	})
}
