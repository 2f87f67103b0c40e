// Misconception: a kind is called as Go prints the type.
// Caught by: TestKnownTypes
// Message: ObjectKinds of a *scheme_test.Mouse: zoo.example.com/v1 Mouse

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).String()), example)
	}
}
