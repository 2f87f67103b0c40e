// Misconception: a new object has its defaults.
// Caught by: TestNewIsNew
// Message: the belief that a new object has its defaults

//go:build wrong

package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, ok := s.types[kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	object := reflect.New(t).Interface().(runtime.Object)
	s.Default(object)
	return object, nil
}
