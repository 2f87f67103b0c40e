// Misconception: a type has one kind, the last one.
// Caught by: TestSeveralKinds
// Message: the belief that a type has one kind

//go:build wrong

package scheme

import (
	"fmt"

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
	s.kinds[t] = []schema.GroupVersionKind{kind}
}
