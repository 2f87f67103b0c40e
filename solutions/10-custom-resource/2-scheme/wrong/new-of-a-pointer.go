// Misconception: reflect.New of an example's type is one like the example.
// Caught by: TestKnownTypes
// Message: interface conversion

//go:build wrong

package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func structOf(object runtime.Object) reflect.Type { return reflect.TypeOf(object) }

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		s.AddKnownTypeWithName(gv.WithKind(reflect.TypeOf(example).Elem().Name()), example)
	}
}
