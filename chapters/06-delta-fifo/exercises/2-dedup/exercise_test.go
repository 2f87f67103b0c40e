package dedup_test

import (
	"fmt"
	"testing"

	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/2-dedup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestClosed(t *testing.T) {
	exercise.Attempted(t)
	q := New(cache.MetaNamespaceKeyFunc)
	q.Close()
	err := q.Pop(func(cache.Deltas) error { return nil })
	exercise.Expect(t, err == cache.ErrFIFOClosed, exercise.Verdict{
		Expected: "Pop returns cache.ErrFIFOClosed",
		Happened: fmt.Sprintf("it returned %v", err),
	})
}
