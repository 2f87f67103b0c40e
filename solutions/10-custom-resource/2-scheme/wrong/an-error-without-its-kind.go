// Breaks: If the kind is not registered, the error is one that runtime.IsNotRegisteredError recognises.
// Caught by: TestKnownTypes
// Message: an error: no kind

//go:build wrong

package scheme

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, ok := s.types[kind]
	if !ok {
		return nil, fmt.Errorf("no kind %q is registered", kind)
	}
	return reflect.New(t).Interface().(runtime.Object), nil
}
