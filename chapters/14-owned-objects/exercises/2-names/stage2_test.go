// Stage 2: what holds a number

package names_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// missing expects a number of children that are to be made.
func missing(t *testing.T, wanted int, children []*metav1.PartialObjectMetadata, want int, about map[int]string) {
	t.Helper()
	got := Missing(wanted, children)
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%d are wanted, %s: Missing returns %d", wanted, shows(children), want),
		Happened: fmt.Sprintf("it returned %d", got),
		PointsTo: about[got],
	})
}

// The simplest case: one of three is there.
func TestMissing(t *testing.T) {
	exercise.Attempted(t)
	missing(t, 3, objects("web-0"), 2, nil)
}

func TestHowManyAreMissing(t *testing.T) {
	exercise.Attempted(t)
	missing(t, 3, objects("web-0", "web-1", "web-2"), 0, nil)
	missing(t, 3, objects("web-0", "web-blue"), 1, map[int]string{
		2: "the belief that a child without a number is none. The set has adopted it, and it runs",
	})
	missing(t, 1, objects("web-0", "web-1", "web-2"), 0, map[int]string{
		-2: "the belief that too many are a negative number of missing ones. Which of them are to go is another question",
	})
}

func TestBeingDeletedIsNotAlive(t *testing.T) {
	exercise.Attempted(t)
	missing(t, 3, objects("web-0", "web-1†", "web-2"), 1, map[int]string{
		0: "the belief that a child is alive as long as the API server has it. This one ends, however long its finalizers take",
	})
}

func TestBeingDeletedHoldsItsName(t *testing.T) {
	exercise.Attempted(t)
	next(t, web, objects("web-0", "web-1", "web-2†"), 1, "web-3", clues{
		"web-2": "the belief that a name is free when its object is being deleted. The API server makes no other until it is " +
			"gone",
	})
}

func TestANumberIsUsedOnce(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		"web-2, web-3": "the belief that the children that are there say which numbers were used. Those with the highest may " +
			"be gone",
		"web-6, web-7": "the belief that Unused has been used. It is the first that has not",
	}
	next(t, Owner{Name: "web", Unused: 5}, objects("web-0", "web-1"), 2, "web-5, web-6", about)
	next(t, Owner{Name: "web", Unused: 5}, nil, 1, "web-5", nil)
	next(t, Owner{Name: "web", Unused: 5}, objects("web-blue"), 1, "web-5", nil)
}

func TestTheNoteIsLate(t *testing.T) {
	exercise.Attempted(t)
	next(t, Owner{Name: "web", Unused: 2}, objects("web-0", "web-3"), 1, "web-4", clues{
		"web-2": "the belief that what the set has noted is the newest. Its cache may be later than that of the children, and " +
			"a child has a higher number",
	})
	next(t, Owner{Name: "web", Unused: 4}, objects("web-3"), 1, "web-4", nil)
}
