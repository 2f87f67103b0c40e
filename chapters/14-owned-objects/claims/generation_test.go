package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// The spec has been changed, and the status is about the spec before. `kubectl wait` for a condition does not believe
// it where it says so: the condition's own observedGeneration counts, and without one the status's. A status that has
// neither is believed, and so is each status by a wait for a field.
//
// covers: S2-10
func TestAStatusOfAnOlderGeneration(t *testing.T) {
	s := newSite(t)
	set := made(s, s.set("web"))
	set.Spec.Replicas = ptr.To[int32](3)
	require.NoError(t, s.user.Update(t.Context(), set))
	require.Equal(t, int64(2), set.Generation)

	for _, c := range []struct {
		status, condition int64
		believed          bool
	}{
		{0, 0, true}, // neither is there: they are not sent as zeros
		{1, 0, false},
		{2, 0, true},
		{2, 1, false},
		{1, 2, true},
		{0, 1, false},
	} {
		set.Status.ObservedGeneration = c.status
		set.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue,
			ObservedGeneration: c.condition, Reason: "Test", LastTransitionTime: metav1.Unix(1, 0)}}
		require.NoError(t, s.user.Status().Update(t.Context(), set))
		require.Equal(t, int64(2), set.Generation, "a status counts as no change of the object's generation")
		const looksOnce = "--timeout=0"
		out, err := s.TryKubectl("wait", "processset/web", "--for=condition=Ready", looksOnce)
		require.Equal(t, c.believed, err == nil, "status %d, condition %d: %s", c.status, c.condition, out)
		s.Kubectl("wait", "processset/web", `--for=jsonpath={.status.conditions[0].status}=True`, looksOnce)
	}
}
