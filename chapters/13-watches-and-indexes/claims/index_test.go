package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
)

// What belongs together is found by a label, which somebody has to write and the API server can select by, or by an
// index, which is computed from what is there and is in the cache alone. One object may have several values, and a
// value is looked up in a namespace or in all. The API server knows no such field.
//
// covers: S0-56
func TestFindByLabelOrByIndex(t *testing.T) {
	s := newSite(t, nil)
	names := func(o client.Object) (all []string) {
		for _, v := range o.(*v1alpha1.Process).Spec.Env {
			all = append(all, v.Name)
		}
		return all
	}
	require.NoError(t, s.manager.GetFieldIndexer().IndexField(t.Context(), &v1alpha1.Process{}, "env", names))
	s.start()
	with := func(label string, names ...string) func(*v1alpha1.Process) {
		return func(p *v1alpha1.Process) {
			p.Labels = map[string]string{"tier": label}
			for _, name := range names {
				p.Spec.Env = append(p.Spec.Env, v1alpha1.EnvVar{Name: name})
			}
		}
	}
	s.process("one", with("web", "TZ", "LANG"))
	s.process("two", with("web", "LANG"))
	s.process("three", with("db", "TZ"))
	found := func(over client.Reader, by client.ListOption) (all []string, err error) {
		var list v1alpha1.ProcessList
		err = over.List(t.Context(), &list, client.InNamespace(s.Namespace), by)
		for _, p := range list.Items {
			all = append(all, p.Name)
		}
		return all, err
	}
	require.Eventually(t, func() bool {
		all, _ := found(s.manager.GetClient(), client.MatchingLabels{})
		return len(all) == 3
	}, within, tick)
	for _, c := range []struct {
		by   client.ListOption
		want []string
	}{
		{client.MatchingFields{"env": "TZ"}, []string{"one", "three"}},
		{client.MatchingFields{"env": "LANG"}, []string{"one", "two"}},
		{client.MatchingFields{"env": "HOME"}, nil},
		{client.MatchingLabels{"tier": "web"}, []string{"one", "two"}},
	} {
		got, err := found(s.manager.GetClient(), c.by)
		require.NoError(t, err)
		require.ElementsMatch(t, c.want, got, "%v", c.by)
	}
	got, err := found(s.manager.GetAPIReader(), client.MatchingLabels{"tier": "web"})
	require.NoError(t, err)
	require.Len(t, got, 2)
	_, err = found(s.manager.GetAPIReader(), client.MatchingFields{"env": "TZ"})
	require.ErrorContains(t, err, "field label not supported")
}

// The API server selects by some fields, and each kind has its own: all have metadata.name, Secrets have type.
//
// covers: S0-56
func TestFieldsThatTheServerKnows(t *testing.T) {
	s := newSite(t, nil)
	for _, name := range []string{"one", "two"} {
		require.NoError(t, s.user.Create(t.Context(), &corev1.Secret{Type: corev1.SecretType("example.com/" + name),
			ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name}}))
	}
	for _, by := range []client.MatchingFields{{"metadata.name": "one"}, {"type": "example.com/one"}} {
		var all corev1.SecretList
		require.NoError(t, s.user.List(t.Context(), &all, client.InNamespace(s.Namespace), by))
		require.Len(t, all.Items, 1)
		require.Equal(t, "one", all.Items[0].Name)
	}
	err := s.user.List(t.Context(), &corev1.ConfigMapList{}, client.MatchingFields{"type": "example.com/one"})
	require.ErrorContains(t, err, "is not a known field selector")
}

// A unit test finds that an index is missing: the fake client refuses a field without one, as a cache does.
//
// covers: S0-56
func TestTheFakeClientNeedsTheIndex(t *testing.T) {
	set := scenario.ProcessSet("east", "north", "menu", "wine")
	by := client.MatchingFields{"uses": "wine"}
	bare := fake.NewClientBuilder().WithScheme(scenario.Known()).WithObjects(set).Build()
	require.ErrorContains(t, bare.List(t.Context(), &v1alpha1.ProcessSetList{}, by), "no index")
	indexed := fake.NewClientBuilder().WithScheme(scenario.Known()).WithObjects(set).
		WithIndex(&v1alpha1.ProcessSet{}, "uses", scenario.Used).Build()
	var all v1alpha1.ProcessSetList
	require.NoError(t, indexed.List(t.Context(), &all, by))
	require.Len(t, all.Items, 1)
}
