// Misconception: the oldest event is the one that is late.
// Caught by: TestTimeoutBegins
// Message: the belief that the first request says when it is too late

//go:build wrong

package expectations

import "time"

func (e *Expectations) raise(set string, k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := e.sets[set]
	if len(of.missing) == 0 || e.late(of) {
		of = expected{missing: map[key]bool{}, raised: time.Now()}
	}
	of.missing[k] = true
	e.sets[set] = of
}
