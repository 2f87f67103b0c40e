// Misconception: a reflector whose version is of no use begins as a new one.
// Caught by: TestAVersionThatTheServerDoesNotHave
// Message: the belief that whoever can't have its version begins as a new reflector does

//go:build wrong

package versions

func (v *Versions) Unavailable() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = ""
}
