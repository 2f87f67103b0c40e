// Misconception: what is created goes with its set, and the deletions are seen.
// Caught by: TestForget
// Message: the belief that a set of the same name waits for what its predecessor did

//go:build wrong

package expectations

func (e *Expectations) Forget(set string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k := range e.sets[set].missing {
		if k.name != "" {
			delete(e.sets[set].missing, k)
		}
	}
}
