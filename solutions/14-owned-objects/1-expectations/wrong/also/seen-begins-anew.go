// Breaks: It may, too, once the timeout has passed since the set's last new expectation.
// Stage: 4

//go:build wrong

package expectations

import "time"

func (e *Expectations) lower(set string, k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	delete(of.missing, k)
	of.raised = time.Now()
	e.sets[set] = of
}
