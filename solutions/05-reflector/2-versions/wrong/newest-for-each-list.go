// Misconception: a list is there to learn the newest state.
// Caught by: TestAnotherList
// Message: the belief that a list has to be one of the newest state

//go:build wrong

package versions

func (v *Versions) List() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.unavailable:
		return ""
	case v.last == "":
		return "0"
	}
	return ""
}
