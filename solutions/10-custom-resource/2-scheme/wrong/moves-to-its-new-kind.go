// Misconception: a type that gets another kind gives up the first.
// Caught by: TestSeveralKinds
// Message: Mouse is registered under four kinds

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
	for _, old := range s.kinds[t] {
		delete(s.types, old)
	}
	s.types[kind] = t
	s.kinds[t] = []schema.GroupVersionKind{kind}
}
