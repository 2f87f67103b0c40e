// Breaks: AddKnownTypes registers each example's type in a group version, under the kind that the struct is called.
// Caught by: TestKnownTypes
// Message: ObjectKinds of a *scheme_test.Owl: zoo.example.com/v1 Owl

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples[:min(1, len(examples))] {
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
}
