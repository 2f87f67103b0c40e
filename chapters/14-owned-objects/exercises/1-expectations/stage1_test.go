// Stage 1: creations, until they are seen

package expectations_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: two children that are seen one after the other.
func TestUntilSeen(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Satisfied(north/web) is true; ExpectCreations(north/web, web-0, web-1); Satisfied(north/web) is false; "+
		"CreationObserved(north/web, web-1); Satisfied(north/web) is false; "+
		"CreationObserved(north/web, web-0); Satisfied(north/web) is true", "")
}

func TestSeenAndNotExpected(t *testing.T) {
	exercise.Attempted(t)
	const counted = "the belief that each event is one of those that are expected. Somebody else may create a child, too, " +
		"and a watch may show one again"
	play(t, "ExpectCreations(north/web, web-0, web-1); CreationObserved(north/web, web-0); "+
		"CreationObserved(north/web, web-0); Satisfied(north/web) is false", counted)
	play(t, "ExpectCreations(north/web, web-0); CreationObserved(north/web, other); Satisfied(north/web) is false", counted)
	play(t, "CreationObserved(north/web, web-0); ExpectCreations(north/web, web-0); Satisfied(north/web) is false",
		"the belief that an event from before can be about this creation. It was another child of that name")
}

func TestBesideWhatIsExpected(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); ExpectCreations(north/web, web-1); CreationObserved(north/web, web-1); "+
		"Satisfied(north/web) is false",
		"the belief that what is expected now takes the place of what was expected before")
	play(t, "ExpectCreations(north/web, web-0); ExpectCreations(north/web, web-1); CreationObserved(north/web, web-0); "+
		"CreationObserved(north/web, web-1); Satisfied(north/web) is true", "")
	play(t, "ExpectCreations(north/web, web-0); ExpectCreations(north/web); Satisfied(north/web) is false; "+
		"CreationObserved(north/web, web-0); Satisfied(north/web) is true", "")
}

func TestOtherSets(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); Satisfied(south/web) is true",
		"the belief that a controller has one memory. A set whose events are late would hold up all others")
	play(t, "ExpectCreations(north/web, web-0); ExpectCreations(south/web, web-0); CreationObserved(north/web, web-0); "+
		"Satisfied(north/web) is true; Satisfied(south/web) is false",
		"the belief that a child's name is enough to know it by. Another namespace may have the same name")
}
