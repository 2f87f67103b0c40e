package scheme

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// AddUnversionedTypes registers types that never change, and are therefore the same kind in every group version: New
// makes one whichever group version it is asked for. It panics as AddKnownTypes does, and for a kind that is another
// unversioned type already.
//
// A client needs one of them, in metav1.Unversioned: a metav1.Status comes instead of an answer that went wrong, and
// without it in the scheme nobody can read why. What else upstream's metav1.AddToGroupVersion registers, JSON does
// without: the lines of a watch and the options of a DELETE are told by where they are, and other options travel in the
// query, for which metav1.ParameterCodec is there ready.
//
// Upstream: runtime.Scheme.AddUnversionedTypes, in k8s.io/apimachinery/pkg/runtime/scheme.go.
func (s *Scheme) AddUnversionedTypes(gv schema.GroupVersion, types ...runtime.Object) {
	s.AddKnownTypes(gv, types...)
	for _, example := range types {
		t := structOf(example)
		if old, known := s.unversioned[t.Name()]; known && old != t {
			panic(fmt.Sprintf("%s is the unversioned kind %q already in scheme %q", pathOf(old), t.Name(), s.name))
		}
		s.unversioned[t.Name()] = t
	}
}
