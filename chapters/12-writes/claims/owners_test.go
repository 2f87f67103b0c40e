package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// A conflict of an apply names each field and its owner. What has no managedFields gets an owner of all that was there,
// before-first-apply, with the first apply; and whoever sends an empty list of them has them forgotten.
//
// covers: C-37 S0-49
func TestConflictsNameTheirOwners(t *testing.T) {
	y := newYard(t)
	p := y.read(t, "contested")
	grace := func(n int32) *apply.ProcessApplyConfiguration {
		return apply.Process(p.Name, p.Namespace).WithSpec(apply.ProcessSpec().WithGracePeriodSeconds(n))
	}
	err := y.user.Apply(t.Context(), grace(30), client.FieldOwner("ann"))
	require.Equal(t, []writes.Conflict{{Field: ".spec.gracePeriodSeconds", Manager: "maker"}}, writes.Conflicts(err),
		"who creates owns the defaults, too")
	require.NoError(t, y.user.Apply(t.Context(), grace(30), client.FieldOwner("ann"), client.ForceOwnership))
	was := y.now(t, p).ResourceVersion
	require.NoError(t, y.user.Apply(t.Context(), grace(30), client.FieldOwner("ann")))
	require.Equal(t, was, y.now(t, p).ResourceVersion, "the same again changes nothing")

	require.NoError(t, y.user.Patch(t.Context(), scenario.Named(p.Namespace, p.Name),
		client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"managedFields":[{}]}}`))))
	require.Empty(t, y.now(t, p).ManagedFields)
	err = y.user.Apply(t.Context(), grace(40), client.FieldOwner("ann"))
	require.Equal(t, []writes.Conflict{{Field: ".spec.gracePeriodSeconds", Manager: "before-first-apply"}},
		writes.Conflicts(err))
}

// An apply takes away what its manager said last time and says no more, and nothing that is another's: it has no way to
// delete a field that it does not own.
//
// covers: S0-49
func TestAnApplyTakesAwayItsOwn(t *testing.T) {
	y := newYard(t)
	env := func(name, value string) scenario.Object {
		return scenario.Object{"env": []any{scenario.Object{"name": name, "value": value}}}
	}
	send := func(who string, spec scenario.Object) *v1alpha1.Process {
		w := scenario.Applied("web", who, spec, false)
		a, err := y.over.Write(t.Context(), y.url(scenario.Process())+"/web", w)
		require.NoError(t, err)
		require.True(t, a.OK(), "%s", a.Body)
		return y.now(t, scenario.Named(y.Namespace, "web"))
	}
	send("ann", writes.Merge(env("TZ", "UTC"), scenario.Object{"command": "sleep"}))
	require.Len(t, send("bob", env("LANG", "C")).Spec.Env, 2, "elements of a list have owners of their own")
	after := send("ann", scenario.Object{"command": "sleep"})
	require.Equal(t, []v1alpha1.EnvVar{{Name: "LANG", Value: "C"}}, after.Spec.Env)
	empty := send("ann", scenario.Object{"command": "sleep", "env": []any{}})
	require.Len(t, empty.Spec.Env, 1, "an empty list says nothing")
}
