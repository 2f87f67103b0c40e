// Breaks: After that any number of goroutines may call ObjectKinds, New and Default.
// Caught by: TestManyReaders
// Message: data race

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
	defaults map[reflect.Type]func(object any)
	known    map[schema.GroupVersionKind]reflect.Value // what New has made once
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		defaults: map[reflect.Type]func(any){},
		known:    map[schema.GroupVersionKind]reflect.Value{},
	}
}

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, ok := s.types[kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	if _, ok := s.known[kind]; !ok {
		s.known[kind] = reflect.Zero(t)
	}
	return reflect.New(s.known[kind].Type()).Interface().(runtime.Object), nil
}
