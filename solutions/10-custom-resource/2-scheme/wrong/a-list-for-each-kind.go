// Misconception: a kind brings its list with it.
// Caught by: TestKnownTypes
// Message: the belief that a kind brings its list with it

//go:build wrong

package scheme

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		if name := structOf(example).Name(); !strings.HasSuffix(name, "List") {
			s.types[gv.WithKind(name+"List")] = structOf(example)
		}
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
}
