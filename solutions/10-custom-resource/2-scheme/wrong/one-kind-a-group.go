// Breaks: A type may be registered under several kinds, of one group version or of several. It has all of them.
// Caught by: TestSeveralKinds
// Message: zoo.example.com/v1 Rodent

//go:build wrong

package scheme

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	if known, ok := s.types[kind]; ok {
		if known != t {
			panic(fmt.Sprintf("%s is %s's, and can't be %s's", kind, known, t))
		}
		return
	}
	s.types[kind] = t
	s.kinds[t] = append(slices.DeleteFunc(s.kinds[t], func(k schema.GroupVersionKind) bool {
		return k.GroupVersion() == kind.GroupVersion()
	}), kind)
}
