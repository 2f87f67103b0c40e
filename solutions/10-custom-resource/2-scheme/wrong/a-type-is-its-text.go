// Misconception: reflect.Type.String says which type it is.
// Caught by: TestTwoTypesOfOneName
// Message: the belief that a type is the text that reflection has for it

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
	kinds    map[string][]schema.GroupVersionKind // by what reflection calls the struct
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
	s.kinds[t.String()] = append(s.kinds[t.String()], kind)
}

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object).String()]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	return slices.Clone(kinds), nil
}
