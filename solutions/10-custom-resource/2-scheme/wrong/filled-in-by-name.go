// Misconception: which function fills an object in follows from its type's name.
// Caught by: TestTwoTypesOfOneName
// Message: the belief that a type is its name

//go:build wrong

package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Scheme holds Go types by kind.
type Scheme struct {
	types    map[schema.GroupVersionKind]reflect.Type
	kinds    map[reflect.Type][]schema.GroupVersionKind
	defaults map[string]func(object any) // by the name of the struct
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		defaults: map[string]func(any){},
	}
}

func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	s.defaults[structOf(example).Name()] = fill
}

func (s *Scheme) Default(object runtime.Object) {
	if fill, ok := s.defaults[structOf(object).Name()]; ok {
		fill(object)
	}
}
