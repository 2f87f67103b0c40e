// Misconception: a copy of the example is a new object.
// Caught by: TestNewIsNew
// Message: the belief that the example is what a new object is made from

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
	examples map[schema.GroupVersionKind]runtime.Object
	defaults map[reflect.Type]func(object any)
}

func New() *Scheme {
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		examples: map[schema.GroupVersionKind]runtime.Object{},
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
	s.types[kind], s.examples[kind] = t, example
	s.kinds[t] = append(s.kinds[t], kind)
}

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	example, ok := s.examples[kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	return example.DeepCopyObject(), nil
}
