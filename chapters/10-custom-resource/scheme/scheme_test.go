package scheme_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme/schemetest"
)

var toys = schema.GroupVersion{Group: "toys.example.com", Version: "v1"}

// A scheme is named after the line that made it, and not after its own package. Upstream's means to be.
func TestAnErrorSaysWhoMadeTheScheme(t *testing.T) {
	ours, upstream := scheme.New(), runtime.NewScheme()
	require.Regexp(t, `scheme/scheme_test\.go:\d+$`, ours.Name())
	require.Regexp(t, `pkg/runtime/scheme\.go:\d+$`, upstream.Name())
	_, _, err := ours.ObjectKinds(&schemetest.Doll{})
	require.EqualError(t, err, `no kind is registered for the type schemetest.Doll in scheme "`+ours.Name()+`"`)
}

// A panic tells two types of one name apart.
func TestTwoTypesOfOneName(t *testing.T) {
	s := scheme.New()
	s.AddKnownTypes(toys, &schemetest.Doll{})
	type Doll struct{ schemetest.Kite }
	const path = "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	require.PanicsWithValue(t, "Double registration of different types for toys.example.com/v1, Kind=Doll: old="+path+
		"/schemetest.Doll, new="+path+"_test.Doll in scheme \""+s.Name()+`"`, func() { s.AddKnownTypes(toys, &Doll{}) })
}

// The table that is handed out is a copy.
func TestAllKnownTypes(t *testing.T) {
	s := scheme.New()
	s.AddKnownTypes(toys, &schemetest.Doll{})
	all := s.AllKnownTypes()
	require.Equal(t, map[schema.GroupVersionKind]reflect.Type{
		toys.WithKind("Doll"): reflect.TypeFor[schemetest.Doll]()}, all)
	delete(all, toys.WithKind("Doll"))
	require.True(t, s.Recognizes(toys.WithKind("Doll")))
}

// requireSame asks two schemes for the kinds of an object.
func requireSame(t require.TestingT, ours, upstream runtime.ObjectTyper, object runtime.Object) {
	wantKinds, wantUnversioned, wantErr := upstream.ObjectKinds(object)
	kinds, unversioned, err := ours.ObjectKinds(object)
	require.Equal(t, wantKinds, kinds, "%T", object)
	require.Equal(t, wantUnversioned, unversioned, "%T", object)
	require.Equal(t, runtime.IsNotRegisteredError(wantErr), runtime.IsNotRegisteredError(err), "%T: %v", object, err)
	require.Equal(t, wantErr == nil, err == nil, "%T: %v", object, err)
}
