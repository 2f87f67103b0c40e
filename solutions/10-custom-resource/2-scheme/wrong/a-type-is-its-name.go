// Misconception: a type is known by its name.
// Caught by: TestTwoTypesOfOneName
// Message: the belief that a type is its name

//go:build wrong

package scheme

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Scheme holds Go types by kind.
type Scheme struct {
	types    map[schema.GroupVersionKind]reflect.Type
	kinds    map[string][]schema.GroupVersionKind // by the name of the struct
	defaults map[reflect.Type]func(object any)
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[string][]schema.GroupVersionKind{},
		defaults: map[reflect.Type]func(any){},
	}
}

func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	if known, ok := s.types[kind]; ok {
		if known != t {
			panic(fmt.Sprintf("%s is %s's, and can't be %s's", kind, known, t))
		}
		return
	}
	s.types[kind] = t
	s.kinds[t.Name()] = append(s.kinds[t.Name()], kind)
}

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object).Name()]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	return slices.Clone(kinds), nil
}
