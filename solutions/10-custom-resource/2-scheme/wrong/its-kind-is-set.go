// Misconception: a new object knows its kind.
// Caught by: TestKnownTypes
// Message: Happened: *scheme_test.Mouse with {"kind":"Mouse"

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
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}
