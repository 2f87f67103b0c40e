// Breaks: Each call returns another one, in which nothing is set.
// Caught by: TestNewIsNew
// Message: what New returned was written to

//go:build wrong

package scheme

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Scheme holds Go types by kind.
type Scheme struct {
	types    map[schema.GroupVersionKind]reflect.Type
	kinds    map[reflect.Type][]schema.GroupVersionKind
	objects  map[schema.GroupVersionKind]runtime.Object
	defaults map[reflect.Type]func(object any)
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		objects:  map[schema.GroupVersionKind]runtime.Object{},
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
	s.types[kind], s.objects[kind] = t, reflect.New(t).Interface().(runtime.Object)
	s.kinds[t] = append(s.kinds[t], kind)
}

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object, ok := s.objects[kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	return object, nil
}
