// Breaks: A kind that another type has stays that type's, and AddKnownTypeWithName panics.
// Caught by: TestAKindIsTaken
// Message: the kind Mouse was refused to Owl

//go:build wrong

package scheme

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	known, ok := s.types[kind]
	s.types[kind] = t
	if ok && known != t {
		panic(fmt.Sprintf("%s is %s's, and can't be %s's", kind, known, t))
	}
	if ok {
		return
	}
	s.kinds[t] = append(s.kinds[t], kind)
}
