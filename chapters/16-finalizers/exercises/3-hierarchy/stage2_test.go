// Stage 2: whose they are, and one that is going

package hierarchy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: the set's child is going, and another set has one in the namespace.
func TestGoingAndAnother(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"web-0: being deleted", "db-5: controlled by db/5"}}).
		is(t, "deletes nothing, returns false", about{
			"deletes web-0, returns false":  askedAgain,
			"deletes nothing, returns true": going,
		})
}

const (
	askedAgain = "the belief that to ask again makes it faster. The API server knows already"
	going      = "the belief that a child that is being deleted is there no more. Its finalizer holds it while its program ends"
)

func TestAnotherSet(t *testing.T) {
	exercise.Attempted(t)
	const all = "the belief that List returns the set's children. It returns all Processes of the namespace, and some " +
		"are others'"
	(&scene{children: []string{"web-0", "db-5: controlled by db/5"}}).is(t, "deletes web-0, returns false", about{
		"deletes db-5, returns false": all,
	})
}

func TestWhose(t *testing.T) {
	exercise.Attempted(t)
	const byName = "the belief that a name or a label says whose a child is. It may have been released, and two " +
		"sets may " +
		"select the same"
	for _, tc := range []struct{ child, belief string }{
		{"web-1: controlled by db/5", byName},
		{"web-1: no owner", byName},
		{"web-1: controlled by web/9", "the belief that a name says who the owner is. A set with this name was " +
			"deleted " +
			"before, and is another one"},
		{"web-1: controlled by db/5, owned by web/1", "the belief that each owner has a say. One is the " +
			"controller, and the " +
			"others only want the child to live as long"},
	} {
		stranger, _, _ := strings.Cut(tc.child, ":")
		(&scene{children: []string{"web-0", tc.child}}).is(t, "deletes web-0, returns false", about{
			"deletes " + stranger + ", returns false": tc.belief,
		})
		(&scene{children: []string{tc.child}}).is(t, "deletes nothing, returns true", about{
			"deletes nothing, returns false": "the belief that a set is done when its namespace is empty",
		})
	}
	(&scene{children: []string{"web-0", "web-1: owned by config/7, controlled by web/1"}}).
		is(t, "deletes web-1, returns false", about{
			"deletes web-0, returns false": "the belief that the first reference is the controller's",
		})
}

func TestOneIsGoing(t *testing.T) {
	exercise.Attempted(t)
	const waits = "deletes nothing, returns false"
	(&scene{children: []string{"web-0", "web-1", "web-2: being deleted"}}).is(t, waits, about{
		"deletes web-1, returns false": going,
		"deletes web-2, returns false": askedAgain,
	})
	(&scene{children: []string{"web-0: being deleted"}}).is(t, waits, about{
		"deletes nothing, returns true": going,
		"deletes web-0, returns false":  askedAgain,
	})
	(&scene{children: []string{"web-0", "web-1: being deleted", "web-2"}}).is(t, waits, about{
		"deletes web-2, returns false": "the belief that only the last child can be going. Somebody else has " +
			"deleted web-1, and " +
			"two would end at once",
	})
}

func TestAStrangerIsGoing(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{children: []string{"web-0", "db-5: controlled by db/5, being deleted"}}
	s.is(t, "deletes web-0, returns false", about{
		"deletes nothing, returns false": "the belief that each child that is going is to be waited for. This one " +
			"may take hours, " +
			"and is another set's",
	})
}

func TestWithoutANumber(t *testing.T) {
	exercise.Attempted(t)
	s := &scene{children: []string{"web-0", "web-blue", "web-1"}}
	told := s.told()
	got := s.ends(t)
	happened := "it deleted " + strings.Join(got, ", ")
	sorted := slices.Sorted(slices.Values(got))
	exercise.Expect(t, strings.Join(sorted, ", ") == "web-0, web-1, web-blue", exercise.Verdict{
		Expected: told + "run after run, each of the three is deleted",
		Happened: happened,
		PointsTo: map[bool]string{true: "the belief that each child has a number. One that was adopted has the " +
			"name that " +
			"somebody gave it"}[!slices.Contains(got, "web-blue")],
	})
	exercise.Expect(t, slices.Index(got, "web-1") < slices.Index(got, "web-0"), exercise.Verdict{
		Expected: told + "run after run, web-1 is deleted before web-0", Happened: happened,
	})
}
