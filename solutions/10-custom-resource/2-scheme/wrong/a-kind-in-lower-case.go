// Breaks: AddKnownTypes registers each example's type in a group version, under the kind that the struct is called.
// Caught by: TestKnownTypes
// Message: New of zoo.example.com/v1 mouse: not registered

//go:build wrong

package scheme

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
	for kind, t := range s.types { // however somebody writes it
		s.types[kind.GroupVersion().WithKind(strings.ToLower(kind.Kind))] = t
	}
}
