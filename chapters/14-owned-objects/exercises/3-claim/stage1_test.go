// Stage 1: mine, or not

package claim_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: a child that the set has made.
func TestMine(t *testing.T) {
	exercise.Attempted(t)
	(&scene{children: []string{"a: app=web; controlled by web/1"}}).returns(t, "a", "")
}

// No case has a child that a later stage adopts: nobody does while both are being deleted.
func TestWhose(t *testing.T) {
	exercise.Attempted(t)
	for _, tc := range []struct{ child, returned, belief string }{
		{"a: app=web; controlled by db/5", "no child",
			"the belief that the labels say whose a child is. Two sets may select the same"},
		{"a: app=web; controlled by web/9", "no child",
			"the belief that a name says whose a child is. The set may have been deleted and made anew: that is " +
				"another one"},
		{"a: app=web; owned by config/7; controlled by web/1", "a",
			"the belief that the first reference is the controller's"},
		{"a: app=web; owned by web/1; controlled by db/5", "no child",
			"the belief that each owner has a say. One may be the controller, and the others only live as long"},
	} {
		(&scene{children: []string{tc.child}}).returns(t, tc.returned, tc.belief)
	}
	(&scene{set: set + "; being deleted", children: []string{"a: app=web; being deleted"}}).returns(t, "no child",
		"the belief that a child without a controller is anybody's who selects it")
}

func TestSelected(t *testing.T) {
	exercise.Attempted(t)
	for _, tc := range []struct {
		children         []string
		returned, belief string
	}{
		{[]string{"a: app=api; controlled by web/1"}, "no child",
			"the belief that the reference is all. Somebody took the child out of the set by changing its label"},
		{[]string{"a: app=web; controlled by web/1; being deleted"}, "a",
			"the belief that a child that is being deleted is there no more. Its program may run for a while"},
		{[]string{"a: app=web; controlled by web/1", "b: app=api; controlled by db/5",
			"c: app=web; controlled by web/1"}, "a and c", ""},
	} {
		(&scene{children: tc.children}).returns(t, tc.returned, tc.belief)
	}
}
