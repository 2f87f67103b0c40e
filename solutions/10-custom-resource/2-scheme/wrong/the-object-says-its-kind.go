// Misconception: an object that has a TypeMeta knows its kind.
// Caught by: TestTypeMetaHasNoSay
// Message: the belief that an object knows its kind

//go:build wrong

package scheme

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	if kind := object.GetObjectKind().GroupVersionKind(); !kind.Empty() {
		return []schema.GroupVersionKind{kind}, nil
	}
	kinds := s.kinds[structOf(object)]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	return slices.Clone(kinds), nil
}
