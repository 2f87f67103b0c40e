// Misconception: a child that was seen need not be seen.
// Caught by: TestSeenAndNotExpected
// Message: the belief that an event from before can be about this creation

//go:build wrong

package expectations

import (
	"sync"
	"time"
)

// Expectations knows all children that have been seen, so that an event may come before its expectation.
type Expectations struct {
	timeout time.Duration

	mu   sync.Mutex
	sets map[string]expected
	seen map[string]bool
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, seen: map[string]bool{}}
}

func (e *Expectations) ExpectCreations(set string, names ...string) {
	for _, name := range names {
		e.mu.Lock()
		seen := e.seen[set+"/"+name]
		e.mu.Unlock()
		if !seen {
			e.raise(set, key{name: name})
		}
	}
}

func (e *Expectations) CreationObserved(set, name string) {
	e.lower(set, key{name: name})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen[set+"/"+name] = true
}
