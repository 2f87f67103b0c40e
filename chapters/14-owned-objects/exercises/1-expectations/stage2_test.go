// Stage 2: the request, before and after

package expectations_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: three children, whose events come after the answers.
func TestCreate(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create(north/web, web-0, web-1, web-2); each event comes; Satisfied(north/web) is true", "")
}

func TestEventBeforeAnswer(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	play(t, "Create(north/web, web-0, web-1), whose events come first; Satisfied(north/web) is true", answerFirst)
}

func TestFailureIsOfOne(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); Create(north/web, web-1), and web-1 fails; Satisfied(north/web) is false",
		oneForAll)
	play(t, "ExpectCreations(south/web, web-0); Create(north/web, web-0), and web-0 fails; Satisfied(south/web) is false",
		oneForAll)
}

func TestFailedCreation(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Create(north/web, web-0), and web-0 fails; Satisfied(north/web) is true", failureSeen)
	for _, child := range []string{"web-0", "web-1", "web-2"} {
		play(t, "Create(north/web, web-0, web-1, web-2), and "+child+" fails; each event comes; Satisfied(north/web) is true",
			neverSent)
	}
}
