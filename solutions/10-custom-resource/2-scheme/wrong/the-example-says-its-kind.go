// Misconception: the example's TypeMeta is the name to be registered.
// Caught by: TestTypeMetaHasNoSay
// Message: the belief that an object knows its kind

//go:build wrong

package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		name := structOf(example).Name()
		if kind := example.GetObjectKind().GroupVersionKind().Kind; kind != "" && kind != name {
			name = kind
		}
		s.AddKnownTypeWithName(gv.WithKind(name), example)
	}
}
