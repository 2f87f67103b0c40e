package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
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
