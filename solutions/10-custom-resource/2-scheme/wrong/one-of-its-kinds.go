// Misconception: of several kinds the one is meant that the object says.
// Caught by: TestTypeMetaHasNoSay
// Message: zoo.example.com/v1 Mouse

//go:build wrong

package scheme

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object)]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	if said := object.GetObjectKind().GroupVersionKind(); !said.Empty() && !slices.Contains(kinds, said) {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", said)
	}
	return slices.Clone(kinds), nil
}
