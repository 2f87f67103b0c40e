// Misconception: a kind that is there is left alone.
// Caught by: TestAKindIsTaken
// Message: the belief that somebody has to win

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	if _, ok := s.types[kind]; ok {
		return
	}
	s.types[kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
}
