// Misconception: what a server could not serve once, it will not serve later.
// Caught by: TestAVersionThatTheServerDoesNotHave
// Message: the belief that a server that could not serve one version can serve none

//go:build wrong

package versions

func (v *Versions) Synced(version string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last, v.synthetic = version, false
}
