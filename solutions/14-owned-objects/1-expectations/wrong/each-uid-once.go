// Misconception: whatever goes is what the controller deletes.
// Caught by: TestDeletedByOthers
// Message: the belief that nobody else deletes children of the set

//go:build wrong

package expectations

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Expectations counts each UID once.
type Expectations struct {
	timeout time.Duration

	mu   sync.Mutex
	sets map[string]expected
	gone map[string]int
	seen map[types.UID]bool
}

func New(timeout time.Duration) *Expectations {
	return &Expectations{timeout: timeout, sets: map[string]expected{}, gone: map[string]int{},
		seen: map[types.UID]bool{}}
}

func (e *Expectations) ExpectDeletions(set string, uids ...types.UID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone[set] += len(uids)
}

func (e *Expectations) DeletionObserved(set string, uid types.UID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone[set] > 0 && !e.seen[uid] {
		e.gone[set]--
	}
	e.seen[uid] = true
}

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	return e.gone[set] == 0 && (len(of.missing) == 0 || e.late(of))
}
