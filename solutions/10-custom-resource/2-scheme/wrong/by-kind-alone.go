// Misconception: a Kind is one thing, whichever group it is in.
// Caught by: TestGroupsAndVersions
// Message: the belief that the Kind says it all

//go:build wrong

package scheme

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Scheme holds Go types by kind.
type Scheme struct {
	types    map[string]reflect.Type // of the structs, by Kind
	kinds    map[reflect.Type][]schema.GroupVersionKind
	defaults map[reflect.Type]func(object any)
}

func New() *Scheme {
	return &Scheme{
		types:    map[string]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		defaults: map[reflect.Type]func(any){},
	}
}

func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	if slices.Contains(s.kinds[t], kind) {
		return
	}
	s.types[kind.Kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
}

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, ok := s.types[kind.Kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	return reflect.New(t).Interface().(runtime.Object), nil
}
