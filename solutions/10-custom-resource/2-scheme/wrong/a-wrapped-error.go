// Misconception: runtime.IsNotRegisteredError looks through what is wrapped.
// Caught by: TestKnownTypes
// Message: an error: New: no kind

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
		return nil, fmt.Errorf("New: %w", runtime.NewNotRegisteredErrForKind("exercise", kind))
	}
	return reflect.New(t).Interface().(runtime.Object), nil
}
