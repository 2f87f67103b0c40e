// Breaks: Only Last has other callers: any number of goroutines, also while the reflector's calls any method.
// Caught by: TestLastFromAnyGoroutine
// Message: there was a data race

//go:build wrong

package versions

func (v *Versions) Synced(version string) {
	v.last, v.unavailable, v.synthetic = version, false, false
}
