package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/published"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// What the tests write.
const (
	grace = 5
	pid   = 7
)

// read makes a Process and reads it.
func (y *yard) read(t *testing.T, name string) *v1alpha1.Process {
	t.Helper()
	p, err := scenario.Made(t.Context(), y.user, y.Namespace, name)
	require.NoError(t, err)
	return p
}

// now is a Process as it is.
func (y *yard) now(t *testing.T, p *v1alpha1.Process) *v1alpha1.Process {
	t.Helper()
	var now v1alpha1.Process
	require.NoError(t, y.user.Get(t.Context(), client.ObjectKeyFromObject(p), &now))
	return &now
}

// An object that was read can't be applied: it has no kind, and with one it has managedFields. Without those it is
// accepted, and then the manager owns each field of it. What is one's own is applied without a read.
//
// covers: B-68 S0-44 S0-49 C-23
func TestAnApplyOfWhatWasRead(t *testing.T) {
	y := newYard(t)
	p := y.read(t, "applied")
	require.ErrorContains(t, published.ApplyWhatWasRead(t.Context(), y.user, p, grace), "invalid object type")
	p = y.now(t, p)
	p.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	require.ErrorContains(t, published.ApplyWhatWasRead(t.Context(), y.user, p, grace),
		"metadata.managedFields must be nil")
	require.Equal(t, int32(10), *y.now(t, p).Spec.GracePeriodSeconds)

	p = y.now(t, p)
	p.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	p.ManagedFields = nil
	require.NoError(t, published.ApplyWhatWasRead(t.Context(), y.user, p, grace))
	require.Contains(t, y.owned(t, p, published.Manager), ".spec.command")

	p = y.read(t, "own")
	require.NoError(t, published.ApplyWhatIsOwn(t.Context(), y.user, p, grace))
	require.Equal(t, []string{".spec.gracePeriodSeconds"}, y.owned(t, p, published.Manager))
	require.Equal(t, int32(grace), *y.now(t, p).Spec.GracePeriodSeconds)
}

// owned are the fields that a manager owns by now.
func (y *yard) owned(t *testing.T, p *v1alpha1.Process, manager string) (fields []string) {
	t.Helper()
	all, err := writes.Owners(y.now(t, p).ManagedFields)
	require.NoError(t, err)
	for _, o := range all {
		if o.Manager == manager {
			fields = append(fields, o.Field)
		}
	}
	return fields
}

// One patch with a version is good for one request. So the published form saves the spec and then fails, each time. Two
// patches, the second made from the first one's answer, save both. Without a version one patch is good for both.
//
// covers: B-67 S0-47
func TestOnePatchForBoth(t *testing.T) {
	y := newYard(t)
	p := y.read(t, "one")
	err := published.OnePatchForBoth(t.Context(), y.user, p, grace, pid)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Equal(t, int32(grace), *y.now(t, p).Spec.GracePeriodSeconds, "one half is there")
	require.Nil(t, y.now(t, p).Status.PID, "and the other is not")

	p = y.read(t, "each")
	require.NoError(t, published.OnePatchForEach(t.Context(), y.user, p, grace, pid))
	require.Equal(t, int32(grace), *y.now(t, p).Spec.GracePeriodSeconds)
	require.Equal(t, int32(pid), *y.now(t, p).Status.PID)

	p = y.read(t, "unlocked")
	patch := client.MergeFrom(p.DeepCopy())
	p.Spec.GracePeriodSeconds, p.Status.PID = ptr.To[int32](grace), ptr.To[int32](pid)
	require.NoError(t, y.user.Patch(t.Context(), p.DeepCopy(), patch))
	require.NoError(t, y.user.Status().Patch(t.Context(), p.DeepCopy(), patch))
	require.Equal(t, int32(pid), *y.now(t, p).Status.PID)
}

// An update of an object that was read is refused if somebody has written since. It is a patch without a version that
// wins over the write before, and over nothing that it does not hold.
//
// covers: B-66 S0-44 S0-40
func TestAnUpdateIsNotLastWins(t *testing.T) {
	y := newYard(t)
	for name, write := range map[string]bool{"update": false, "patch": true} {
		p := y.read(t, name)
		require.NoError(t, scenario.Labelled(t.Context(), y.user, p))
		if !write {
			err := published.UpdateLastWins(t.Context(), y.user, p, grace)
			require.True(t, apierrors.IsConflict(err), "%v", err)
			require.Equal(t, int32(10), *y.now(t, p).Spec.GracePeriodSeconds)
			continue
		}
		require.NoError(t, published.PatchLastWins(t.Context(), y.user, p, grace))
		require.Equal(t, int32(grace), *y.now(t, p).Spec.GracePeriodSeconds)
		require.Equal(t, "web", y.now(t, p).Labels["tier"], "and what it does not hold stays")
	}
}
