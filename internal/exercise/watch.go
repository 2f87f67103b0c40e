package exercise

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// LimitEnv overrides how long one graded test may take, as a Go duration.
const LimitEnv = "SCRATCH_EXERCISE_LIMIT"

// defaultLimit is long for tests that take milliseconds, and short for a learner who waits for a verdict.
const defaultLimit = 6 * time.Second

// maxHeap is what a test may hold in memory before it is stopped, so that an endless append does not take the
// machine with it.
const maxHeap = 512 << 20

// exitStopped is the status of a test process that this package ended.
const exitStopped = 3

// guard watches over one test.
type guard struct {
	hangMeans, leakMeans string

	mu       sync.Mutex
	reported bool // a bubble was given up: what is left of it was reported
}

var guards sync.Map // by name of the test

func guardOf(t testing.TB) *guard {
	g, ok := guards.Load(t.Name())
	if !ok {
		return &guard{}
	}
	return g.(*guard)
}

// begun is called by the first graded test. Until then a timer watches: the variables and init functions of
// exercise.go run after those of this package, and they can hang too.
var begun = func() {}

func init() {
	if limit := timeLimit(); limit > 0 && graded != "" {
		timer := time.AfterFunc(limit, func() {
			v := hangVerdict(&guard{}, limit, allStacks())
			v.Expected = fmt.Sprintf("the tests begin within %v", limit)
			stopProcess("before the first test", v)
		})
		begun = func() { timer.Stop() }
	}
}

func watch(t *testing.T, options []Option) {
	t.Helper()
	begun()
	g := &guard{}
	for _, o := range options {
		o(g)
	}
	guards.Store(t.Name(), g)
	begins[t.Name()]++
	nth := begins[t.Name()]
	g.checkEarly(t)
	before := goleak.IgnoreCurrent()
	stop := startWatchdog(t, g)
	t.Cleanup(func() {
		defer guards.Delete(t.Name())
		stop()
		g.checkLeaks(t, before)
		prove(t, nth)
	})
}

// leaked is set by the first leak. Each search for another takes half a second of waiting, and would find the same.
var leaked atomic.Bool

// checkLeaks reports goroutines that were not there when the test began.
func (g *guard) checkLeaks(t *testing.T, before goleak.Option) {
	g.mu.Lock()
	reported := g.reported
	g.mu.Unlock()
	if reported || leaked.Load() || panicking() {
		return
	}
	if err := goleak.Find(before); err != nil {
		leaked.Store(true)
		Report(t, leakVerdict(g, parseStacks(err.Error())))
	}
}

// startWatchdog ends the process when the test takes too long or too much memory. It runs outside any bubble, on
// real time, so that a lock held for ever inside a bubble does not stop it.
func startWatchdog(t *testing.T, g *guard) (stop func()) {
	limit := timeLimit()
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		var over <-chan time.Time
		if limit > 0 {
			timer := time.NewTimer(limit)
			defer timer.Stop()
			over = timer.C
		}
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			select {
			case <-done:
				return
			case <-over:
				v := hangVerdict(g, limit, allStacks())
				attr(t, v)
				stopProcess(t.Name(), v)
			case <-tick.C:
				if metrics.Read(heap); heap[0].Value.Uint64() > maxHeap {
					v := memoryVerdict(allStacks())
					attr(t, v)
					stopProcess(t.Name(), v)
				}
			}
		}
	}()
	return func() { close(done); <-ended }
}

// stopProcess prints the verdict and exits: a goroutine that hangs can't be ended in any other way.
func stopProcess(where string, v Verdict) {
	fmt.Printf("--- stopped: %s\n%s\n", where, v)
	os.Exit(exitStopped)
}

// givenLimit is the value of [LimitEnv], read before exercise.go can change it.
var givenLimit = os.Getenv(LimitEnv)

// timeLimit is zero under a debugger, which runs tests without a -timeout.
func timeLimit() time.Duration {
	if d, err := time.ParseDuration(givenLimit); err == nil {
		return d
	}
	if f := flag.Lookup("test.timeout"); f != nil && f.Value.String() == "0s" {
		return 0
	}
	return defaultLimit
}

func allStacks() []goroutine {
	buf := make([]byte, 1<<20)
	return parseStacks(string(buf[:runtime.Stack(buf, true)]))
}
