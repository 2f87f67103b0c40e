// Misconception: a child is known by its name.
// Caught by: TestOtherSets
// Message: the belief that a child's name is enough to know it by

//go:build wrong

package expectations

// lower takes what was seen from whoever expects it.
func (e *Expectations) lower(_ string, k key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, of := range e.sets {
		delete(of.missing, k)
	}
}
