// Misconception: the zero value of the pointer type is a new object.
// Caught by: TestKnownTypes
// Message: a nil *scheme_test.Mouse

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
	return reflect.Zero(reflect.PointerTo(t)).Interface().(runtime.Object), nil
}
