// Misconception: a streaming list asks for what a list asks for.
// Caught by: TestTheFirstRequests
// Message: the belief that a streaming list begins as a list does

//go:build wrong

package versions

func (v *Versions) Stream() string { return v.List() }
