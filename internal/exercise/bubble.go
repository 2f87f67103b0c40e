package exercise

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/bubble"
)

// Bubble runs f in a bubble of testing/synctest, where time passes when every goroutine waits. What is left in the
// bubble when f returns, and a bubble in which everything waits for ever, are verdicts. Call [Attempted] before it.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	trouble, ok := bubble.Run(t, f)
	if ok {
		return
	}
	g := guardOf(t)
	g.mu.Lock()
	g.reported = true
	g.mu.Unlock()
	left := parseStacks(trouble.Stacks)
	if trouble.Kind == bubble.Left {
		Fail(t, leakVerdict(g, left))
	}
	v := Verdict{
		Kind:     KindHang,
		Expected: "the test ends",
		Happened: "every goroutine waits, and nothing is left that could wake one",
		PointsTo: g.hangMeans,
	}
	if c, ok := culprit(left); ok {
		v.Happened += ": " + c.says()
	}
	Fail(t, v)
}
