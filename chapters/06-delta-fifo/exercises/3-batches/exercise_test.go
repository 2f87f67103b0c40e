package batches_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestABatchEndsBeforeAKeyThatIsInIt(t *testing.T) {
	exercise.Attempted(t)
	q, batch := New(10), []Delta(nil)
	q.Add(Delta{Added, "a", 1})
	q.Add(Delta{Updated, "a", 2})
	q.Close()
	err := q.PopBatch(func(b []Delta) error { batch = b; return nil })
	exercise.Expect(t, err == nil && len(batch) == 1 && batch[0] == Delta{Added, "a", 1}, exercise.Verdict{
		Expected: "of two deltas of one key, the first is a batch",
		Happened: fmt.Sprintf("the batch was %v, with the error %v", batch, err),
	})
}
