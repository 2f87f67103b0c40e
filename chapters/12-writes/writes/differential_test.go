package writes_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/stretchr/testify/require"
	servers "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// The same merge patch as upstream's library makes, and it has the same effect as upstream has it.
func TestMergePatchAsUpstreamMakesIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := objects(3).Draw(t, "before"), objects(3).Draw(t, "after")
		kept := asText(t, []object{before, after})
		ours := writes.MergePatch(before, after)
		theirs, err := jsonpatch.CreateMergePatch(asText(t, before), asText(t, after))
		require.NoError(t, err)
		require.JSONEq(t, string(theirs), string(asText(t, ours)))
		require.Equal(t, again(t, after), again(t, writes.Merge(before, ours)))
		require.Equal(t, kept, asText(t, []object{before, after}), "nothing was changed")
	})
}

// What the API server makes of any merge patch, also of one that nobody computed.
func TestMergeAsUpstreamDoesIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, patch := objects(3).Draw(t, "before"), objects(3).Draw(t, "patch")
		for name := range patch {
			if rapid.Bool().Draw(t, "removes") {
				patch[name] = nil
			}
		}
		theirs, err := jsonpatch.MergePatch(asText(t, before), asText(t, patch))
		require.NoError(t, err)
		require.JSONEq(t, string(theirs), string(asText(t, writes.Merge(before, patch))))
	})
}

// The library that the API server uses for JSON patches makes after of before. One with tests it refuses for an
// object in which a value that the patch is about is another.
func TestJSONPatchAsTheServerDoesIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := objects(3).Draw(t, "before"), objects(3).Draw(t, "after")
		for _, tested := range []bool{false, true} {
			operations := writes.JSONPatch(before, after, tested)
			made, err := servers.DecodePatch(asText(t, operations))
			require.NoError(t, err)
			got, err := made.Apply(asText(t, before))
			require.NoError(t, err, string(asText(t, operations)))
			require.JSONEq(t, string(asText(t, after)), string(got))
			if tested {
				refusesAnother(t, before, operations)
			}
		}
	})
}

// refusesAnother changes one value that a patch tests.
func refusesAnother(t *rapid.T, before object, operations []writes.Operation) {
	tests := slices.DeleteFunc(slices.Clone(operations), func(o writes.Operation) bool { return o.Op != "test" })
	if len(tests) == 0 {
		return
	}
	about := rapid.SampledFrom(tests).Draw(t, "another")
	change := []writes.Operation{{Op: "add", Path: about.Path, Value: "another one"}}
	first, err := servers.DecodePatch(asText(t, change))
	require.NoError(t, err)
	other, err := first.Apply(asText(t, before))
	require.NoError(t, err)
	made, err := servers.DecodePatch(asText(t, operations))
	require.NoError(t, err)
	_, err = made.Apply(other)
	require.Error(t, err, "%s of %s", asText(t, operations), other)
}

// process draws a Process with a version.
func process(t *rapid.T, name string) *v1alpha1.Process {
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "web", UID: "u1", ResourceVersion: "7"}}
	p.Spec.Command = rapid.SampledFrom([]string{"sleep", "true"}).Draw(t, name+" command")
	p.Spec.Args = rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2"}), 0, 2).Draw(t, name+" args")
	p.Labels = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), rapid.SampledFrom([]string{"", "x"}), 0, 2).
		Draw(t, name+" labels")
	p.Finalizers = rapid.SliceOfN(rapid.SampledFrom([]string{"f/1", "f/2"}), 0, 2).Draw(t, name+" finalizers")
	p.Status.Restarts = rapid.Int32Range(0, 2).Draw(t, name+" restarts")
	if rapid.Bool().Draw(t, name+" has a PID") {
		pid := rapid.Int32Range(1, 2).Draw(t, name+" pid")
		p.Status.PID = &pid
	}
	return p
}

// A patch for a client has the same bytes as upstream's, with a lock and without.
func TestPatchesForAClientAsUpstreamMakesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := process(t, "before"), process(t, "after")
		after.ResourceVersion = rapid.SampledFrom([]string{"7", ""}).Draw(t, "version")
		ours, err := writes.MergeFrom(before, writes.Locked)
		require.NoError(t, err)
		got, err := ours.Data(after)
		require.NoError(t, err)
		want, err := client.MergeFromWithOptions(before.DeepCopy(), client.MergeFromWithOptimisticLock{}).Data(after)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got))

		after.ResourceVersion = before.ResourceVersion
		ours, err = writes.MergeFrom(before, writes.Unlocked)
		require.NoError(t, err)
		got, err = ours.Data(after)
		require.NoError(t, err)
		want, err = client.MergeFrom(before.DeepCopy()).Data(after)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got))
		require.Equal(t, client.MergeFrom(before).Type(), ours.Type())
	})
}

// fields draws a set of fields as an API server would note it: paths into objects, and elements of lists by key, by
// value and by index.
func fields(t *rapid.T) *fieldpath.Set {
	set := fieldpath.NewSet()
	step := rapid.Custom(func(t *rapid.T) fieldpath.PathElement {
		name := rapid.SampledFrom([]string{"spec", "a.b/c", `"`, ""}).Draw(t, "name")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			keys := value.FieldList{{Name: "name", Value: value.NewValueInterface(name)}}
			if rapid.Bool().Draw(t, "two keys") {
				keys = append(keys, value.Field{Name: "port", Value: value.NewValueInterface(int64(80))})
			}
			return fieldpath.PathElement{Key: &keys}
		case 1:
			v := value.NewValueInterface(name)
			return fieldpath.PathElement{Value: &v}
		case 2:
			index := rapid.IntRange(0, 2).Draw(t, "index")
			return fieldpath.PathElement{Index: &index}
		}
		return fieldpath.PathElement{FieldName: &name}
	})
	for _, path := range rapid.SliceOfN(rapid.SliceOfN(step, 1, 4), 0, 6).Draw(t, "paths") {
		set.Insert(path)
	}
	return set
}

// Owners finds the fields that upstream's set has as its leaves, under the names that upstream's conflicts have.
func TestOwnersAsUpstreamReadsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := fields(t)
		raw, err := set.ToJSON()
		require.NoError(t, err)
		var want []string
		set.Leaves().Iterate(func(p fieldpath.Path) { want = append(want, p.String()) })
		got, err := writes.Owners([]metav1.ManagedFieldsEntry{{Manager: "ann", Operation: "Apply",
			FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(string(raw))}})
		require.NoError(t, err)
		var names []string
		for _, owner := range got {
			names = append(names, owner.Field)
		}
		slices.Sort(want)
		slices.Sort(names)
		require.Equal(t, want, names)
	})
}

// Whole numbers stay whole as far as an int64 goes: a patch about something else does not touch them.
func TestLargeNumbersAreNoDifference(t *testing.T) {
	before := &v1alpha1.Process{}
	before.Generation = 1<<62 + 1
	after := before.DeepCopy()
	after.Status.Restarts = 1
	patch, err := writes.MergeFrom(before, writes.Unlocked)
	require.NoError(t, err)
	got, err := patch.Data(after)
	require.NoError(t, err)
	require.JSONEq(t, `{"status":{"restarts":1}}`, string(got))
	after.Generation++
	got, err = patch.Data(after)
	require.NoError(t, err)
	require.Contains(t, string(got), "4611686018427387906")
	require.True(t, json.Valid(bytes.TrimSpace(got)))
}
