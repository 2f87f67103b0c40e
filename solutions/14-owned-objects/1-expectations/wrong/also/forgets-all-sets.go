// Breaks: Nothing is expected of the set any more. A set that is created under its name begins anew.
// Stage: 4

//go:build wrong

package expectations

func (e *Expectations) Forget(string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.sets)
}
