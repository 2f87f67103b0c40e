// Stage 2: release

package claim_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// errConflict stands for any failure of a request.
var errConflict = errors.New("conflict")

// The simplest case: somebody has changed the label of a child.
func TestRelease(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=api; controlled by web/1"}}).
		expect(t, "Claim returned no child; SetOwners of a: no owner", nil)
}

func TestOtherOwnersStay(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=api; owned by config/7; controlled by web/1; owned by backup/10"}}).
		expect(t, "Claim returned no child; SetOwners of a: backup/10 and config/7", beliefs{
			"Claim returned no child; SetOwners of a: no owner": "the belief that a child has one owner. " +
				"The patch replaces the whole list, and the others are somebody's, too",
		})
}

func TestLeftAlone(t *testing.T) {
	exercise.Attempted(t)
	const nothing = "Claim returned no child; nothing was written"
	strangers := "the belief that what does not match is to be released. It was never the set's"
	for _, tc := range []struct{ child, got, belief string }{
		{"a: app=api; controlled by db/5", "SetOwners of a: db/5 as controller", strangers},
		{"a: app=api; controlled by db/5", "SetOwners of a: no owner", strangers},
		{"a: app=api", "SetOwners of a: no owner", strangers},
		{"a: app=api; controlled by web/9", "SetOwners of a: web/9 as controller", ""},
		{"a: app=api; owned by web/1; controlled by db/5", "SetOwners of a: db/5 as controller",
			"the belief that each reference to the set makes a child the set's. Somebody wanted it to live as " +
				"long, no more"},
	} {
		(&scene{children: []string{tc.child}}).
			expect(t, nothing, beliefs{"Claim returned no child; " + tc.got: tc.belief})
	}
}

func TestNothingIsReleasedByADyingSet(t *testing.T) {
	exercise.Attempted(t)
	(&scene{set: set + "; being deleted", children: []string{
		"a: app=api; controlled by web/1", "b: app=web; controlled by web/1"}}).
		expect(t, "Claim returned b; nothing was written", beliefs{
			"Claim returned b; SetOwners of a: no owner": "the belief that a set that is being deleted keeps order " +
				"to the end. A child that it releases now outlives it",
			"Claim returned no child; nothing was written": "the belief that a set that is being deleted has no " +
				"children. Its controller may wait for them",
		})
}

func TestAFailureIsOneChilds(t *testing.T) {
	exercise.Attempted(t)
	conflict := map[string]error{"a": errConflict}
	s := &scene{fails: conflict,
		children: []string{"a: app=api; controlled by web/1", "b: app=web; controlled by web/1"}}
	o := s.expect(t, "Claim returned b and an error; SetOwners of a: no owner", beliefs{
		"Claim returned no child and an error; SetOwners of a: no owner": "the belief that after a failure the run " +
			"is over. One child that nobody can write would keep all others waiting",
		"Claim returned b; SetOwners of a: no owner": "the belief that the next run will see to it. " +
			"It comes when something changes, or when this one has failed",
		"Claim returned a and b and an error; SetOwners of a: no owner": "the belief that a child is the set's as " +
			"long as its reference is there. The selector does not match it",
	})
	exercise.Expect(t, errors.Is(o.err, errConflict), exercise.Verdict{
		Expected: s.expected("In the error of Claim errors.Is finds that of SetOwners"),
		Happened: fmt.Sprintf("Claim returned %q", o.err),
	})
	(&scene{children: []string{"a: app=api; controlled by web/1", "b: app=api; controlled by web/1"}, fails: conflict}).
		expect(t, "Claim returned no child and an error; SetOwners of a: no owner; SetOwners of b: no owner", nil)
}

func TestReleaseOfWhatIsGone(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=api; controlled by web/1"}, fails: map[string]error{"a": notFound}}).
		expect(t, "Claim returned no child; SetOwners of a: no owner", beliefs{
			"Claim returned no child and an error; SetOwners of a: no owner": "the belief that each error is a " +
				"failure. The child was to go, and is gone",
		})
}
