// Breaks: A type that is registered under a kind once more has it once, as before.
// Caught by: TestOnceMore
// Message: together with Process

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		if _, ok := s.types[gv.WithKind(structOf(example).Name())]; ok {
			return // AddKnownTypes has run before
		}
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
}
