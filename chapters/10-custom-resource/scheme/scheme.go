package scheme

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/naming"
)

var (
	_ runtime.ObjectTyper     = (*Scheme)(nil)
	_ runtime.ObjectCreater   = (*Scheme)(nil)
	_ runtime.ObjectDefaulter = (*Scheme)(nil)
)

// Scheme maps kinds to Go types and back. A kind has one type. A type may be several kinds: metav1.WatchEvent is one in
// every group version.
//
// It is filled first and asked later. Any number of goroutines may ask, and none may while another one adds.
//
// Upstream: runtime.Scheme, in k8s.io/apimachinery/pkg/runtime/scheme.go.
type Scheme struct {
	name        string
	types       map[schema.GroupVersionKind]reflect.Type // structs, not pointers to them
	kinds       map[reflect.Type][]schema.GroupVersionKind
	unversioned map[string]reflect.Type    // by the type's name, which is its kind in each group version
	defaulters  map[reflect.Type]func(any) // by the type of the pointer
}

// New makes an empty scheme. Its name, which is in its errors, is the file and the line that called New.
//
// Upstream: runtime.NewScheme, in k8s.io/apimachinery/pkg/runtime/scheme.go.
func New() *Scheme {
	return &Scheme{
		name:        naming.GetNameFromCallsite("10-custom-resource/scheme/scheme.go"),
		types:       map[schema.GroupVersionKind]reflect.Type{},
		kinds:       map[reflect.Type][]schema.GroupVersionKind{},
		unversioned: map[string]reflect.Type{},
		defaulters:  map[reflect.Type]func(any){},
	}
}

// Name is the scheme's name in its errors.
//
// Upstream: runtime.Scheme.Name.
func (s *Scheme) Name() string { return s.name }

// AddKnownTypes registers types in a group version. The name of a type is its kind. It panics as AddKnownTypeWithName
// does.
//
// Upstream: runtime.Scheme.AddKnownTypes.
func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, types ...runtime.Object) {
	for _, example := range types {
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
}

// AddKnownTypeWithName registers a type under a kind. To do so again changes nothing. It panics for what is no pointer
// to a struct, for a kind without a version, and for a kind that is another type already: a program registers its types
// before it does anything else, and each of these is a mistake in its code.
//
// Upstream: runtime.Scheme.AddKnownTypeWithName.
func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	t := structOf(example)
	if kind.Version == "" {
		panic(fmt.Sprintf("version is required on all types: %s %v", kind, t))
	}
	if old, known := s.types[kind]; known && old != t {
		panic(fmt.Sprintf("Double registration of different types for %v: old=%s, new=%s in scheme %q",
			kind, pathOf(old), pathOf(t), s.name))
	}
	s.types[kind] = t
	if !slices.Contains(s.kinds[t], kind) {
		s.kinds[t] = append(s.kinds[t], kind)
	}
}

// AllKnownTypes are the registered kinds with their types. The map is the caller's.
//
// Upstream: runtime.Scheme.AllKnownTypes, whose map is the scheme's own.
func (s *Scheme) AllKnownTypes() map[schema.GroupVersionKind]reflect.Type { return maps.Clone(s.types) }

// structOf is the type that an example points to.
func structOf(example runtime.Object) reflect.Type {
	t := reflect.TypeOf(example)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("All types must be pointers to structs, and this is a %v.", t))
	}
	return t.Elem()
}

// pathOf names a type so that two of one name are told apart.
func pathOf(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }
