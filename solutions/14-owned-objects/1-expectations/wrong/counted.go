// Misconception: what counts is how many there are.
// Caught by: TestSeenAndNotExpected
// Message: the belief that each event is one of those that are expected

//go:build wrong

package expectations

import (
	"sync"
	"time"
)

// Expectations has the creations as a number, as upstream has.
type Expectations struct {
	timeout time.Duration

	mu      sync.Mutex
	sets    map[string]expected
	created map[string]int
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, created: map[string]int{}}
}

func (e *Expectations) ExpectCreations(set string, names ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.created[set] += len(names)
}

func (e *Expectations) CreationObserved(set, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.created[set] > 0 {
		e.created[set]--
	}
}

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	return e.created[set] == 0 && (len(of.missing) == 0 || e.late(of))
}
