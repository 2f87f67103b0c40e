// Breaks: A kind that another type has stays that type's, and AddKnownTypeWithName panics.
// Caught by: TestAKindIsTaken
// Message: ObjectKinds of a *scheme_test.Owl: not registered

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
			s.kinds[t] = append(s.kinds[t], kind)
			panic(fmt.Sprintf("%s is %s's, and can't be %s's", kind, known, t))
		}
		return
	}
	s.types[kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
}
