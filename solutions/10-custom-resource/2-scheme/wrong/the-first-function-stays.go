// Breaks: If there was a function for the type, fill takes its place.
// Caught by: TestDefaultIsByType
// Message: then c: Default of a *scheme_test.Mouse calls the functions [c]

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	if _, ok := s.defaults[structOf(example)]; !ok {
		s.defaults[structOf(example)] = fill
	}
}
