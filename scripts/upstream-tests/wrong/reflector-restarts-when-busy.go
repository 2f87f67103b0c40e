// Wrong: After a 429 the reflector starts again with a list.
// Base: chapters/05-reflector/reflector/policy.go
// Mechanism: reflector
// Upstream: TestBackoffOnTooManyRequests
// Book: chapters/05-reflector/reflector TestThePolicyIsUpstreams

//go:build wrong

package reflector

func isBusy(error) bool { return false }
