// Breaks: It may, too, once the timeout has passed since the set's last new expectation.
// Stage: 4

//go:build wrong

package expectations

import "time"

func (e *Expectations) Satisfied(set string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	if len(of.missing) == 0 || e.late(of) {
		return true
	}
	of.raised = time.Now()
	e.sets[set] = of
	return false
}
