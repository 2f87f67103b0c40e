package versions_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/2-versions"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTheFirstRequest(t *testing.T) {
	exercise.Attempted(t)
	var v Versions
	got := v.List()
	exercise.Expect(t, got == "0", exercise.Verdict{
		Expected: `the first list asks for "0"`,
		Happened: fmt.Sprintf("it asked for %q", got),
	})
}
