// Misconception: a set whose event was lost is better off without expectations.
// Caught by: TestAfterTheTimeout
// Message: the belief that a set whose event is missing has no expectations any more

//go:build wrong

package expectations

import (
	"sync"
	"time"
)

// Expectations gives up on a set.
type Expectations struct {
	timeout time.Duration

	mu      sync.Mutex
	sets    map[string]expected
	givenUp map[string]bool
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, givenUp: map[string]bool{}}
}

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	if len(of.missing) == 0 {
		return true
	}
	if e.late(of) {
		e.givenUp[set] = true
	}
	return e.givenUp[set]
}
