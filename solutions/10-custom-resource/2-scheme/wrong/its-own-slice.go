// Breaks: The slice is the caller's.
// Caught by: TestSeveralKinds
// Message: somebody has written to the slice

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	kinds := s.kinds[structOf(object)]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	return kinds, nil
}
