// Misconception: after a version that the server does not have, each request asks for the newest state.
// Caught by: TestAVersionThatTheServerDoesNotHave
// Message: the belief that a watch can begin at the newest state

//go:build wrong

package versions

func (v *Versions) Watch() string { return v.Stream() }
