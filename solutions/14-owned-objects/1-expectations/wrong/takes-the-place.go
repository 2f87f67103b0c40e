// Misconception: what is expected is what was expected last.
// Caught by: TestBesideWhatIsExpected
// Message: the belief that what is expected now takes the place

//go:build wrong

package expectations

import "time"

func (e *Expectations) ExpectCreations(set string, names ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := expected{missing: map[key]bool{}, raised: time.Now()}
	for _, name := range names {
		of.missing[key{name: name}] = true
	}
	e.sets[set] = of
}
