package testkit

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/bubble"
)

// BubbleLimit is how long a bubble may take in real time. A goroutine that waits for a mutex does not count as waiting
// in a bubble, so a lock held for ever would stop the test until go test's own limit of ten minutes.
var BubbleLimit = 30 * time.Second

// exit is replaced by a test.
var exit = os.Exit

// Bubble runs f in a bubble of testing/synctest, where time passes when every goroutine waits. Goroutines left in the
// bubble, and a bubble in which everything waits for ever, fail the test with their stacks, and the tests after it
// still run; a bubble that takes longer than [BubbleLimit] in real time ends the process with all stacks.
//
// As everywhere in a bubble, t.Run, t.Parallel and t.Deadline must not be called.
func Bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	limit := BubbleLimit
	dog := time.AfterFunc(limit, func() {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		fmt.Printf("--- FAIL: %s: the bubble still ran after %v of real time.\n"+
			"A goroutine runs without end, or waits for a lock that is never given back "+
			"(look for sync.Mutex.Lock):\n\n%s\n", t.Name(), limit, buf)
		exit(2)
	})
	defer dog.Stop()
	trouble, ok := bubble.Run(t, f)
	switch {
	case ok:
	case trouble.Kind == bubble.Left:
		t.Fatalf("goroutines were left in the bubble when the test's function returned; each waits for ever:\n\n%s",
			trouble.Stacks)
	default:
		t.Fatalf("every goroutine in the bubble waits, and nothing is left that could wake one:\n\n%s", trouble.Stacks)
	}
}
