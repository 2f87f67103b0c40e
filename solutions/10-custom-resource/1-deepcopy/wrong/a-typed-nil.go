// Misconception: an interface with a nil pointer in it is nil.
// Caught by: TestNil
// Message: the belief that an interface with a nil pointer in it is nil

//go:build wrong

package deepcopy

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (in *Process) DeepCopyObject() runtime.Object {
	return in.DeepCopy()
}
