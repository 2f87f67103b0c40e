// Breaks: What it returns is a new copy of in, a *Process, and equals nil if in is nil.
// Caught by: TestDeepCopy
// Message: somebody writes to what DeepCopyObject has returned

//go:build wrong

package deepcopy

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (in *Process) DeepCopyObject() runtime.Object {
	if in == nil {
		return nil
	}
	out := *in
	return &out
}
