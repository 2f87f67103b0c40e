package exercise

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// early finds, when the first test begins, the goroutines that exercise.go started before. The tests would not count
// those as left behind, whatever a call gives them to do. One that is about to end has half a second.
var early = sync.OnceValue(func() []goroutine {
	for wait := time.Millisecond; ; wait *= 2 {
		there := slices.DeleteFunc(allStacks(), func(g goroutine) bool { return g.at == "" && g.from == "" })
		if len(there) == 0 || len(there) > manyGoroutines || wait > 256*time.Millisecond {
			return there
		}
		time.Sleep(wait)
	}
})

// checkEarly fails the first test over them.
func (g *guard) checkEarly(t *testing.T) {
	t.Helper()
	if len(begins) > 1 {
		return
	}
	if there := early(); len(there) > 0 {
		Report(t, earlyVerdict(g, there))
	}
}

func earlyVerdict(g *guard, there []goroutine) Verdict {
	v := leakVerdict(g, there)
	if n := fmt.Sprint(len(there)); len(there) > manyGoroutines { // a dump has room for some of them
		v.Happened = strings.Replace(v.Happened, n, fmt.Sprintf("more than %d", manyGoroutines), 1)
	}
	v.PointsTo = "" // that is a belief about what the tests call
	v.Expected = "nothing that exercise.go started runs when the tests begin"
	return v
}
