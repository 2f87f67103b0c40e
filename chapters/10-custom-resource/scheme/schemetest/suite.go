package schemetest

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Scheme is what the suite asks of a scheme. [runtime.Scheme] has it all.
type Scheme interface {
	runtime.ObjectTyper
	runtime.ObjectCreater
	runtime.ObjectDefaulter
	AddKnownTypes(gv schema.GroupVersion, types ...runtime.Object)
	AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object)
	AddUnversionedTypes(gv schema.GroupVersion, types ...runtime.Object)
	AddTypeDefaultingFunc(example runtime.Object, fill func(any))
}

// Run runs the whole suite; newScheme makes an empty scheme for each of its tests.
func Run(t *testing.T, newScheme func() Scheme) {
	for _, sentence := range []struct {
		name string
		test func(*testing.T, Scheme)
	}{
		{"a type and its kind lead to each other", bothWays},
		{"a type may be several kinds", severalKinds},
		{"to register again changes nothing", again},
		{"a mistake in a registration panics", mistakes},
		{"what is not registered is told by its name", notRegistered},
		{"what an object says of itself does not count", ownWords},
		{"an unstructured object says its kind itself", unstructuredObjects},
		{"only a pointer to an object has a kind", noPointers},
		{"a new object is empty, and nobody else's", newObjects},
		{"an unversioned type is new in any group version", unversioned},
		{"defaults are those of the type", defaults},
	} {
		t.Run(sentence.name, func(t *testing.T) { sentence.test(t, newScheme()) })
	}
}
