package scheme_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme/schemetest"
)

// fed makes a scheme that knows what another one does: client-go's functions that register types take a runtime.Scheme.
func fed(t testing.TB, from *runtime.Scheme) *scheme.Scheme {
	t.Helper()
	s := scheme.New()
	done := map[reflect.Type]bool{}
	for _, goType := range from.AllKnownTypes() {
		if done[goType] {
			continue
		}
		done[goType] = true
		example := reflect.New(goType).Interface().(runtime.Object)
		kinds, unversioned, err := from.ObjectKinds(example)
		require.NoError(t, err)
		for _, kind := range kinds {
			if unversioned && kind.Kind == goType.Name() {
				s.AddUnversionedTypes(kind.GroupVersion(), example)
			} else {
				s.AddKnownTypeWithName(kind, example)
			}
		}
	}
	return s
}

// TestEveryTypeOfClientGo asks both schemes about every type and every kind that client-go's clients know, and about
// kinds like them that are not there.
func TestEveryTypeOfClientGo(t *testing.T) {
	upstream := clientscheme.Scheme
	ours := fed(t, upstream)
	require.Equal(t, upstream.AllKnownTypes(), ours.AllKnownTypes())
	require.Greater(t, len(ours.AllKnownTypes()), 500)
	for kind, goType := range upstream.AllKnownTypes() {
		requireSame(t, ours, upstream, reflect.New(goType).Interface().(runtime.Object))
		for _, asked := range []schema.GroupVersionKind{
			kind,
			{Group: kind.Group, Version: kind.Version, Kind: kind.Kind + "s"},
			{Group: kind.Group, Version: "v99", Kind: kind.Kind},
			{Group: "example.com", Version: kind.Version, Kind: kind.Kind},
			{Version: kind.Version, Kind: kind.Kind},
		} {
			requireSameKind(t, ours, upstream, asked)
		}
	}
}

// requireSameKind asks two schemes about a kind.
func requireSameKind(t require.TestingT, ours, upstream interface {
	runtime.ObjectTyper
	runtime.ObjectCreater
}, kind schema.GroupVersionKind) {
	require.Equal(t, upstream.Recognizes(kind), ours.Recognizes(kind), kind)
	want, wantErr := upstream.New(kind)
	got, err := ours.New(kind)
	require.Equal(t, want, got, kind)
	require.Equal(t, runtime.IsNotRegisteredError(wantErr), runtime.IsNotRegisteredError(err), "%v: %v", kind, err)
	require.Equal(t, wantErr == nil, err == nil, "%v: %v", kind, err)
}

// TestRandomRegistrations does the same to both schemes, mistakes included, and asks about everything after each step.
func TestRandomRegistrations(t *testing.T) {
	groups := rapid.SampledFrom([]string{"", "a.example.com", "b.example.com"})
	versions := rapid.SampledFrom([]string{"", "v1", "v2", runtime.APIVersionInternal})
	names := rapid.SampledFrom([]string{"Doll", "Kite", "Puppet", ""})
	objects := []runtime.Object{&schemetest.Doll{}, &schemetest.Kite{}, schemetest.Value{}}
	examples := rapid.SampledFrom(objects)
	rapid.Check(t, func(t *rapid.T) {
		ours, upstream := schemetest.Scheme(scheme.New()), schemetest.Scheme(runtime.NewScheme())
		onBoth := func(step func(schemetest.Scheme)) {
			panicked := func(s schemetest.Scheme) (did bool) {
				defer func() { did = recover() != nil }()
				step(s)
				return false
			}
			require.Equal(t, panicked(upstream), panicked(ours), "a panic")
		}
		group := func() schema.GroupVersion {
			return schema.GroupVersion{Group: groups.Draw(t, "group"), Version: versions.Draw(t, "version")}
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			gv, example := group(), examples.Draw(t, "example")
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				onBoth(func(s schemetest.Scheme) { s.AddKnownTypes(gv, example) })
			case 1:
				kind := gv.WithKind(names.Draw(t, "name"))
				onBoth(func(s schemetest.Scheme) { s.AddKnownTypeWithName(kind, example) })
			case 2:
				onBoth(func(s schemetest.Scheme) { s.AddUnversionedTypes(gv, example) })
			case 3:
				name := rapid.String().Draw(t, "default")
				onBoth(func(s schemetest.Scheme) {
					s.AddTypeDefaultingFunc(example, func(o any) { nameOf(o.(runtime.Object), &name) })
				})
			}
			for _, object := range objects {
				requireSame(t, ours, upstream, object)
				requireSameDefault(t, ours, upstream, object)
			}
			requireSameKind(t, ours, upstream, group().WithKind(names.Draw(t, "asked")))
		}
	})
}

// nameOf is an object's name, after it was set if one is given.
func nameOf(object runtime.Object, set *string) string {
	var name *string
	switch o := object.(type) {
	case *schemetest.Doll:
		name = &o.Name
	case *schemetest.Kite:
		name = &o.Name
	default:
		return ""
	}
	if set != nil {
		*name = *set
	}
	return *name
}

func requireSameDefault(t require.TestingT, ours, upstream runtime.ObjectDefaulter, object runtime.Object) {
	a, b := object.DeepCopyObject(), object.DeepCopyObject()
	ours.Default(a)
	upstream.Default(b)
	require.Equal(t, nameOf(b, nil), nameOf(a, nil))
}
