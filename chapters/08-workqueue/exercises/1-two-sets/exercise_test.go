package twosets_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// ⟨to be written⟩
func TestSum(t *testing.T) {
	exercise.Attempted(t)
	got := Sum([]int{1, 2})
	exercise.Expect(t, got == 3, exercise.Verdict{
		Expected: "Sum of [1 2] is 3",
		Happened: fmt.Sprintf("it was %d", got),
		PointsTo: "the belief that the last number is the sum",
	})
}

// ⟨to be written⟩
func TestNone(t *testing.T) {
	exercise.Attempted(t)
	got := Sum(nil)
	exercise.Expect(t, got == 0, exercise.Verdict{
		Expected: "Sum of no numbers is 0",
		Happened: fmt.Sprintf("it was %d", got),
	})
}
