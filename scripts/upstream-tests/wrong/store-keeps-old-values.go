// Wrong: An update leaves an object under the values that it had.
// Base: chapters/04-store/store/index.go
// Mechanism: store
// Upstream: none
// Book: chapters/04-store/store TestSuite

//go:build wrong

package store

func (x *index) remove(string, []string) {}
