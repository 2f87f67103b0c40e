// Misconception: an object is filled in once for each of its kinds.
// Caught by: TestDefaultIsByType
// Message: it called [aa]

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *Scheme) Default(object runtime.Object) {
	if fill, ok := s.defaults[structOf(object)]; ok {
		fill(object)
		for range s.kinds[structOf(object)][min(1, len(s.kinds[structOf(object)])):] {
			fill(object)
		}
	}
}
