package schemetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func notRegistered(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{})
	_, _, err := s.ObjectKinds(&Kite{})
	require.True(t, runtime.IsNotRegisteredError(err), "%v", err)
	require.ErrorContains(t, err, "no kind is registered for the type schemetest.Kite in scheme ")
	_, err = s.New(tools.WithKind("Doll"))
	require.True(t, runtime.IsNotRegisteredError(err), "%v", err)
	require.ErrorContains(t, err, `no kind "Doll" is registered for version "tools.example.com/v1beta1" in scheme `)
	_, err = s.New(toys.WithKind(""))
	require.ErrorContains(t, err, `no version "toys.example.com/v1" has been registered in scheme `)
}

func ownWords(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{})
	liar := &Doll{}
	liar.SetGroupVersionKind(tools.WithKind("Kite"))
	kinds, _, err := s.ObjectKinds(liar)
	require.NoError(t, err)
	require.Equal(t, []schema.GroupVersionKind{toys.WithKind("Doll")}, kinds)
}

func unstructuredObjects(t *testing.T, s Scheme) {
	u := &unstructured.Unstructured{}
	_, _, err := s.ObjectKinds(u)
	require.True(t, runtime.IsMissingKind(err), "%v", err)
	u.SetKind("Doll")
	_, _, err = s.ObjectKinds(u)
	require.True(t, runtime.IsMissingVersion(err), "%v", err)
	u.SetAPIVersion(toys.String())
	kinds, unversioned, err := s.ObjectKinds(u)
	require.NoError(t, err, "although nothing is registered")
	require.Equal(t, []schema.GroupVersionKind{toys.WithKind("Doll")}, kinds)
	require.False(t, unversioned)
}

func noPointers(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{})
	for name, object := range map[string]runtime.Object{
		"nothing": nil, "a value": Value{}, "a nil pointer": (*Doll)(nil),
	} {
		_, _, err := s.ObjectKinds(object)
		require.Error(t, err, name)
		require.False(t, runtime.IsNotRegisteredError(err), "%s: %v", name, err)
	}
}

func newObjects(t *testing.T, s Scheme) {
	example := &Doll{Name: "the example"}
	example.SetGroupVersionKind(toys.WithKind("Doll"))
	s.AddKnownTypes(toys, example)
	first, err := s.New(toys.WithKind("Doll"))
	require.NoError(t, err)
	require.Equal(t, &Doll{}, first)
	first.(*Doll).Name = "Anna"
	second, err := s.New(toys.WithKind("Doll"))
	require.NoError(t, err)
	require.Equal(t, &Doll{}, second)
}

func unversioned(t *testing.T, s Scheme) {
	s.AddKnownTypes(toys, &Doll{})
	s.AddUnversionedTypes(toys, &Kite{})
	s.AddKnownTypeWithName(tools.WithKind("Glider"), &Kite{})
	kinds, unversioned, err := s.ObjectKinds(&Kite{})
	require.NoError(t, err)
	require.True(t, unversioned)
	require.Equal(t, []schema.GroupVersionKind{toys.WithKind("Kite"), tools.WithKind("Glider")}, kinds)
	made, err := s.New(tools.WithKind("Kite"))
	require.NoError(t, err)
	require.IsType(t, &Kite{}, made)
	require.False(t, s.Recognizes(tools.WithKind("Kite")), "it is made there, and not known there")
	_, err = s.New(tools.WithKind("Glider"))
	require.NoError(t, err)
	_, err = s.New(schema.GroupVersionKind{Version: "v1", Kind: "Glider"})
	require.True(t, runtime.IsNotRegisteredError(err), "another name of the type is a kind like others: %v", err)
	type Kite struct{ Doll }
	require.Panics(t, func() { s.AddUnversionedTypes(tools, &Kite{}) }, "the kind is another type")
}

func defaults(t *testing.T, s Scheme) {
	s.AddTypeDefaultingFunc(&Doll{}, func(any) { t.Error("the last function is the one") })
	s.AddTypeDefaultingFunc(&Doll{}, func(object any) {
		if d := object.(*Doll); d.Name == "" {
			d.Name = "Anna"
		}
	})
	fresh, named, other := &Doll{}, &Doll{Name: "Berta"}, &Kite{}
	for _, object := range []runtime.Object{fresh, named, other} {
		s.Default(object)
	}
	require.Equal(t, "Anna", fresh.Name)
	require.Equal(t, "Berta", named.Name)
	require.Empty(t, other.Name)
}
