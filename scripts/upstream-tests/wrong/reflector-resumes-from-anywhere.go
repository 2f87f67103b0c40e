// Wrong: A watch that began at 0 is resumed from any of its first events.
// Base: chapters/05-reflector/reflector/versions.go
// Mechanism: reflector
// Upstream: none
// Book: chapters/05-reflector/reflector TestAWatchFromNoVersionIsNotResumedFromItsFirstObjects

//go:build wrong

package reflector

func (v *versions) Opened() { v.ordered = true }
