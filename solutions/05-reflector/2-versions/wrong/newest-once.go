// Breaks: To ask changes nothing, however often: Last, List, Stream and Watch only answer.
// Caught by: TestAVersionThatTheServerDoesNotHave
// Message: after Synced("100"), Unavailable: Stream is ""

//go:build wrong

package versions

func (v *Versions) List() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.unavailable:
		v.unavailable = false
		return ""
	case v.last == "":
		return "0"
	}
	return v.last
}
