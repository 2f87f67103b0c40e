// Misconception: functions add up.
// Caught by: TestDefaultIsByType
// Message: then c: Default of a *scheme_test.Mouse calls the functions [c]

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	first := s.defaults[structOf(example)]
	s.defaults[structOf(example)] = func(object any) {
		if first != nil {
			first(object)
		}
		fill(object)
	}
}
