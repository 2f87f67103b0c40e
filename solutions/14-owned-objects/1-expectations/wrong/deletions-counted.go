// Misconception: for a deletion there is an event.
// Caught by: TestDeletionSeenTwice
// Message: the belief that a deletion is one event

//go:build wrong

package expectations

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Expectations has the deletions as a number.
type Expectations struct {
	timeout time.Duration

	mu   sync.Mutex
	sets map[string]expected
	gone map[string]int
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, gone: map[string]int{}}
}

func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone[set] += len(uids)
}

func (e *Expectations) DeletionObserved(set string, uid types.UID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone[set] > 0 {
		e.gone[set]--
	}
}

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	return e.gone[set] == 0 && (len(of.missing) == 0 || e.late(of))
}
