// Misconception: a function is one of a kind, so the type has to be registered.
// Caught by: TestDefaultIsByType
// Message: which is not registered

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
	defaults map[schema.GroupVersionKind]func(object any)
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		defaults: map[schema.GroupVersionKind]func(any){},
	}
}

func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	for _, kind := range s.kinds[structOf(example)] {
		s.defaults[kind] = fill
	}
}

func (s *Scheme) Default(object runtime.Object) {
	for _, kind := range s.kinds[structOf(object)] {
		if fill, ok := s.defaults[kind]; ok {
			fill(object)
			return
		}
	}
}
