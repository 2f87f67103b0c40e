// Misconception: one Go type is all versions of a kind.
// Caught by: TestGroupsAndVersions
// Message: the belief that one Go type is all versions of a kind

//go:build wrong

package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, ok := s.types[kind]
	for known, other := range s.types { // the versions of a kind are converted into each other
		if !ok && known.GroupKind() == kind.GroupKind() {
			t, ok = other, true
		}
	}
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	return reflect.New(t).Interface().(runtime.Object), nil
}
