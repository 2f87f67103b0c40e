package schemetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func bothWays(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{}, &Kite{})
	for _, example := range []struct {
		object runtime.Object
		kind   string
	}{{&Doll{}, "Doll"}, {&Kite{}, "Kite"}} {
		kind := toys.WithKind(example.kind)
		kinds, unversioned, err := s.ObjectKinds(example.object)
		require.NoError(t, err)
		require.Equal(t, []schema.GroupVersionKind{kind}, kinds)
		require.False(t, unversioned)
		require.True(t, s.Recognizes(kind))
		made, err := s.New(kind)
		require.NoError(t, err)
		require.IsType(t, example.object, made)
	}
	require.False(t, s.Recognizes(tools.WithKind("Doll")))
}

func severalKinds(t *testing.T, s Scheme) {
	want := []schema.GroupVersionKind{toys.WithKind("Kite"), tools.WithKind("Puppet"), toys.WithKind("Puppet"),
		tools.WithKind("Anchor")}
	for _, kind := range want {
		s.AddKnownTypeWithName(kind, &Doll{})
	}
	kinds, _, err := s.ObjectKinds(&Doll{})
	require.NoError(t, err)
	require.Equal(t, want, kinds, "in the order in which they were added")
	for _, kind := range want {
		made, err := s.New(kind)
		require.NoError(t, err)
		require.IsType(t, &Doll{}, made)
	}
}

func again(t *testing.T, s Scheme) {
	for range 2 {
		s.AddKnownTypes(toys, &Doll{})
		s.AddUnversionedTypes(tools, &Kite{})
	}
	for _, object := range []runtime.Object{&Doll{}, &Kite{}} {
		kinds, _, err := s.ObjectKinds(object)
		require.NoError(t, err)
		require.Len(t, kinds, 1)
	}
}

func mistakes(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{})
	text := Text("")
	for name, mistake := range map[string]func(){
		"a value":    func() { s.AddKnownTypes(toys, Value{}) },
		"no struct":  func() { s.AddKnownTypes(toys, &text) },
		"no version": func() { s.AddKnownTypes(schema.GroupVersion{Group: "toys.example.com"}, &Doll{}) },
		"the kind is another type": func() {
			s.AddKnownTypeWithName(toys.WithKind("Doll"), &Kite{})
		},
	} {
		require.Panics(t, mistake, name)
	}
	made, err := s.New(toys.WithKind("Doll"))
	require.NoError(t, err)
	require.IsType(t, &Doll{}, made, "the first registration stays")
	_, _, err = s.ObjectKinds(&Kite{})
	require.True(t, runtime.IsNotRegisteredError(err), "and nothing is left of the others: %v", err)
}
