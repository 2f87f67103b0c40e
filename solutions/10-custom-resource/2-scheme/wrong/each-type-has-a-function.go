// Breaks: Without one, nothing happens.
// Caught by: TestDefaultIsByType
// Message: there was a panic

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *Scheme) Default(object runtime.Object) {
	s.defaults[structOf(object)](object)
}
