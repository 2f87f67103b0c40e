// Breaks: But a watch that was opened at "" or at "0" begins with an ADDED for each object that there is, in any order:
// who resumed from one of their versions would miss those that were still to come.
// Caught by: TestSyntheticEvents
// Message: Event of ADDED 90 returns false

//go:build wrong

package versions

func (v *Versions) Opened() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.synthetic = v.last == ""
}
