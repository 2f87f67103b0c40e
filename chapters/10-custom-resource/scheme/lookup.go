package scheme

import (
	"reflect"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ObjectKinds says which kinds an object's type is registered as, in the order in which they were added, and whether
// the type is unversioned. The object's own apiVersion and kind do not count: those of an object that a program made
// are empty, and the table is there to fill them in. An unstructured object is its own table: it has the kind that it
// says, and [runtime.IsMissingKind] and [runtime.IsMissingVersion] recognise the error when it says none.
//
// For a type that nobody registered, [runtime.IsNotRegisteredError] recognises the error. The slice of kinds is the
// Scheme's own, as upstream's is: whoever wants to change it makes a copy.
//
// Upstream: runtime.Scheme.ObjectKinds, in k8s.io/apimachinery/pkg/runtime/scheme.go.
func (s *Scheme) ObjectKinds(object runtime.Object) (kinds []schema.GroupVersionKind, unversioned bool, err error) {
	if u, ok := object.(runtime.Unstructured); ok {
		return unstructuredKind(u)
	}
	value, err := conversion.EnforcePtr(object)
	if err != nil {
		return nil, false, err
	}
	t := value.Type()
	kinds, known := s.kinds[t]
	if !known {
		return nil, false, runtime.NewNotRegisteredErrForType(s.name, t)
	}
	return kinds, s.unversioned[t.Name()] == t, nil
}

// unstructuredKind is ObjectKinds for an object that is a map of its JSON.
func unstructuredKind(u runtime.Unstructured) ([]schema.GroupVersionKind, bool, error) {
	kind := u.GetObjectKind().GroupVersionKind()
	switch {
	case kind.Kind == "":
		return nil, false, runtime.NewMissingKindErr("unstructured object has no kind")
	case kind.Version == "":
		return nil, false, runtime.NewMissingVersionErr("unstructured object has no version")
	}
	return []schema.GroupVersionKind{kind}, false, nil
}

// Recognizes says whether a kind is registered.
//
// Upstream: runtime.Scheme.Recognizes.
func (s *Scheme) Recognizes(kind schema.GroupVersionKind) bool {
	_, known := s.types[kind]
	return known
}

// New makes an empty object of a kind, for a decoder to fill. Its apiVersion and kind are empty as well. For a kind
// that nobody registered, [runtime.IsNotRegisteredError] recognises the error.
//
// Upstream: runtime.Scheme.New.
func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	t, known := s.types[kind]
	if !known {
		t, known = s.unversioned[kind.Kind]
	}
	if !known {
		return nil, runtime.NewNotRegisteredErrForKind(s.name, kind)
	}
	return reflect.New(t).Interface().(runtime.Object), nil
}
