// Breaks: Default calls the function that was added for the object's type, with the object itself.
// Caught by: TestDefaultIsByType
// Message: it got another one

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *Scheme) Default(object runtime.Object) {
	if fill, ok := s.defaults[structOf(object)]; ok {
		fill(object.DeepCopyObject())
	}
}
