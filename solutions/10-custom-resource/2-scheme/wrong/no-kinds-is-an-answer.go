// Breaks: If there are none, the error is one that runtime.IsNotRegisteredError recognises.
// Caught by: TestKnownTypes
// Message: none, and no error

//go:build wrong

package scheme

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object)]
	return slices.Clone(kinds), nil
}
