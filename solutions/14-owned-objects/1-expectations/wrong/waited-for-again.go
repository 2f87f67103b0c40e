// Misconception: a timeout is a matter of Satisfied.
// Caught by: TestAfterTheTimeout
// Message: the belief that a missing event is waited for again with the next one

//go:build wrong

package expectations

import "time"

func (e *Expectations) raise(set string, k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	if of.missing == nil {
		of.missing = map[key]bool{}
	}
	of.missing[k] = true
	of.raised = time.Now()
	e.sets[set] = of
}
