// Misconception: a watch is late for all sets or for none.
// Caught by: TestTimeoutBegins
// Message: the belief that one clock does for all sets

//go:build wrong

package expectations

import (
	"sync"
	"time"
)

type Expectations struct {
	timeout time.Duration

	mu     sync.Mutex
	sets   map[string]expected
	raised time.Time
}

func (e *Expectations) late(expected) bool { return time.Since(e.raised) > e.timeout }

func (e *Expectations) raise(set string, k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	if of.missing == nil || e.late(of) {
		of.missing = map[key]bool{}
	}
	of.missing[k] = true
	e.sets[set] = of
	e.raised = time.Now()
}
