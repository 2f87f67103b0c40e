// Wrong: After a 429 the reflector starts again with a list.
// Base: chapters/05-reflector/reflector/policy.go
// Mechanism: reflector
// Upstream: none
// Book: chapters/05-reflector/reflector TestSuite

//go:build wrong

package reflector

func isBusy(error) bool { return false }
