package writes_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// A patch is made from the object as it was, also if it is changed before the patch is used. Upstream's is made from
// the object itself, and whoever gives it no copy sends nothing.
func TestWhatIsChangedBetween(t *testing.T) {
	p := web()
	patch, err := writes.MergeFrom(p, writes.Unlocked)
	require.NoError(t, err)
	p.Spec.Command = "true"
	got, err := patch.Data(p)
	require.NoError(t, err)
	require.JSONEq(t, `{"spec":{"command":"true"}}`, string(got))
}

// A lock needs a version, and is in the patch also if nothing else is.
func TestALock(t *testing.T) {
	_, err := writes.MergeFrom(web(), writes.Locked)
	require.ErrorContains(t, err, "default/web has no resourceVersion")
	p := web()
	p.ResourceVersion = "7"
	merge, err := writes.MergeFrom(p, writes.Locked)
	require.NoError(t, err)
	jsons, err := writes.JSONPatchFrom(p, writes.Locked, false)
	require.NoError(t, err)
	require.Equal(t, types.JSONPatchType, jsons.Type())
	later := p.DeepCopy()
	later.ResourceVersion = "9" // as an answer has put it there: the lock is what was read
	got, err := merge.Data(later)
	require.NoError(t, err)
	require.JSONEq(t, `{"metadata":{"resourceVersion":"7"}}`, string(got))
	got, err = jsons.Data(later)
	require.NoError(t, err)
	require.JSONEq(t, `[{"op":"test","path":"/metadata/resourceVersion","value":"7"}]`, string(got))
	for _, lock := range []writes.Lock{writes.Locked, writes.Unlocked} {
		_, err = writes.MergeFrom((*v1alpha1.Process)(nil), lock)
		require.ErrorContains(t, err, "there is no *v1alpha1.Process")
	}
	none, err := writes.JSONPatchFrom(p, writes.Unlocked, true)
	require.NoError(t, err)
	got, err = none.Data(p)
	require.NoError(t, err)
	require.Equal(t, "[]", string(got))
}

// Each way makes a request of its media type, in the manager's name.
func TestWaysAreRequests(t *testing.T) {
	read := object{"apiVersion": "v1", "kind": "PodTemplate", "metadata": object{"name": "web", "resourceVersion": "7"}}
	after := writes.Merge(read, object{"metadata": object{"labels": object{"a": "x"}}})
	own := object{"metadata": object{"labels": object{"a": "x"}}}
	for _, way := range writes.Ways() {
		w, err := way.Make("ann", writes.Change{Before: read, After: after, Own: own})
		require.NoError(t, err, way.Name)
		require.Equal(t, "ann", w.Query.Get("fieldManager"), way.Name)
		require.True(t, json.Valid(w.Body), way.Name)
		require.Equal(t, locks[way.Name], bytes.Contains(w.Body, []byte(`"7"`)), way.Name)
		again, err := writes.Named(way.Name)
		require.NoError(t, err)
		require.Equal(t, way.Name, again.Name)
	}
	unread := writes.Change{Before: object{"kind": "PodTemplate"}, After: object{"kind": "PodTemplate"}, Own: own}
	for name := range locks {
		way, err := writes.Named(name)
		require.NoError(t, err)
		_, err = way.Make("ann", unread)
		require.ErrorContains(t, err, "no resourceVersion", name)
	}
	_, err := writes.Named("delete")
	require.ErrorContains(t, err, `there is no way "delete" to write`)
}

// locks are the ways that say which version they are made from.
var locks = map[string]bool{"update": true, "merge patch with a version": true,
	"JSON patch, version tested": true, "apply with a version": true}

// managedFields that no API server writes are an error, and what has none has no owners.
func TestOwnersOfNonsense(t *testing.T) {
	for _, raw := range []string{`{"x:y":{}}`, `{"k:no":{}}`, `[`} {
		_, err := writes.Owners([]metav1.ManagedFieldsEntry{{Manager: "ann", FieldsV1: metav1.NewFieldsV1(raw)}})
		require.ErrorContains(t, err, "the managedFields of ann", raw)
	}
	all, err := writes.Owners([]metav1.ManagedFieldsEntry{{Manager: "ann"}})
	require.NoError(t, err)
	require.Empty(t, all)
}

// Only an apply's conflict is about fields.
func TestConflictsOfFields(t *testing.T) {
	cause := func(message string) metav1.StatusCause {
		return metav1.StatusCause{Type: metav1.CauseTypeFieldManagerConflict, Message: message, Field: ".spec.replicas"}
	}
	err := apierrors.NewApplyConflict([]metav1.StatusCause{
		cause(`conflict with "bob"`), cause(`conflict with "a \"b\"" with subresource "scale" using v1`), cause("no"),
	}, "Apply failed")
	require.Equal(t, []writes.Conflict{{Field: ".spec.replicas", Manager: "bob"},
		{Field: ".spec.replicas", Manager: `a "b"`}, {Field: ".spec.replicas"}}, writes.Conflicts(err))
	processes := v1alpha1.GroupVersion.WithResource("processes").GroupResource()
	require.Empty(t, writes.Conflicts(apierrors.NewConflict(processes, "web", nil)))
	require.Empty(t, writes.Conflicts(nil))
}
