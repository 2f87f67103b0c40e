// Misconception: whoever wants an object wants this one.
// Caught by: TestDeepCopy
// Message: DeepCopyObject returns another *Process

//go:build wrong

package deepcopy

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (in *Process) DeepCopyObject() runtime.Object {
	if in == nil {
		return nil
	}
	return in
}
