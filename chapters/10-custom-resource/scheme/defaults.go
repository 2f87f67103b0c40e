package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
)

// AddTypeDefaultingFunc has Default call a function for objects of a type. It receives the pointer. The last function
// that was added for a type is the one that is called.
//
// Upstream: runtime.Scheme.AddTypeDefaultingFunc, in k8s.io/apimachinery/pkg/runtime/scheme.go.
func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(any)) {
	s.defaulters[reflect.TypeOf(example)] = fill
}

// Default fills in what nobody wrote, if there is a function for the object's type. The type need not be registered.
//
// Upstream: runtime.Scheme.Default.
func (s *Scheme) Default(object runtime.Object) {
	if fill, known := s.defaulters[reflect.TypeOf(object)]; known {
		fill(object)
	}
}
