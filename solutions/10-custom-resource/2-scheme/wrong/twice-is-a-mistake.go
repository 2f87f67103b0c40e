// Misconception: whoever registers a type twice has made a mistake.
// Caught by: TestOnceMore
// Message: the belief that registering twice is a mistake

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
		panic(fmt.Sprintf("%s is %s's already", kind, known))
	}
	s.types[kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
}
