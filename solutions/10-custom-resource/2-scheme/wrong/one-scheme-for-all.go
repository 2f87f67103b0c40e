// Breaks: What one Scheme knows no other does.
// Caught by: TestKnownTypes
// Message: another Scheme knows it

//go:build wrong

package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

var all = &Scheme{
	types:    map[schema.GroupVersionKind]reflect.Type{},
	kinds:    map[reflect.Type][]schema.GroupVersionKind{},
	defaults: map[reflect.Type]func(any){},
}

func New() *Scheme { return all }
