// Misconception: a controller waits until it has seen all that it has done.
// Caught by: TestOtherSets
// Message: the belief that a controller has one memory

//go:build wrong

package expectations

// Satisfied looks at what all sets expect.
func (e *Expectations) Satisfied(string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, of := range e.sets {
		if len(of.missing) > 0 && !e.late(of) {
			return false
		}
	}
	return true
}
