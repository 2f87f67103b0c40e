package gone_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestNothingIsGone(t *testing.T) {
	exercise.Attempted(t)
	got, err := Tombstones(nil, nil, nil, nil)
	exercise.Expect(t, len(got) == 0 && err == nil, exercise.Verdict{
		Expected: "nothing waits, nothing is known, and nothing is gone",
		Happened: fmt.Sprintf("Tombstones returned %v and the error %v", got, err),
	})
}
