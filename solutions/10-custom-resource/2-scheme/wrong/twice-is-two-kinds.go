// Breaks: A type that is registered under a kind once more has it once, as before.
// Caught by: TestOnceMore
// Message: zoo.example.com/v1 Mouse, zoo.example.com/v1 Mouse

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
	}
	s.types[kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
}
