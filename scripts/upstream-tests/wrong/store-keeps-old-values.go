// Wrong: An update leaves an object under the values that it had.
// Base: chapters/04-store/store/index.go
// Mechanism: store
// Upstream: TestMultiIndexKeys
// Book: chapters/04-store/store TestStore

//go:build wrong

package store

func (x *index) remove(string, []string) {}
