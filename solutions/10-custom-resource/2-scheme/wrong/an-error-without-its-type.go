// Breaks: If there are none, the error is one that runtime.IsNotRegisteredError recognises.
// Caught by: TestKnownTypes
// Message: an error: no kind

//go:build wrong

package scheme

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object)]
	if len(kinds) == 0 {
		return nil, fmt.Errorf("no kind is registered for the type %T", object)
	}
	return slices.Clone(kinds), nil
}
