package policy_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/1-policy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestAnEndInGoodOrderIsNoFailure(t *testing.T) {
	exercise.Attempted(t)
	got, want := Decide(Watching, nil), Decision{Next: Again}
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%v ends with %v: %+v", Watching, nil, want),
		Happened: fmt.Sprintf("it was %+v", got),
	})
}
