package claims

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// A namespace is deleted by a controller, which waits for all that is in it. One object with a finalizer holds the
// whole namespace, and two of its conditions say what it waits for. Nothing is made in it any more. What holds it is in
// its spec, a finalizer of its own, and no list of its metadata shows it.
//
// covers: B-88 S0-58
func TestANamespaceWaitsForAFinalizer(t *testing.T) {
	controllers(t)
	s := newSite(t)
	space := made(s, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.Namespace + "-hangs"}})
	held, free, late := s.process("held", ours), s.process("free"), s.process("late")
	for _, p := range []*v1alpha1.Process{held, free, late} {
		p.Namespace = space.Name
	}
	made(s, held)
	made(s, free)

	require.NoError(t, s.user.Delete(t.Context(), space))
	space = onServer(s, space)
	require.Equal(t, corev1.NamespaceTerminating, space.Status.Phase)
	require.Empty(t, space.Finalizers)
	require.Equal(t, []corev1.FinalizerName{corev1.FinalizerKubernetes}, space.Spec.Finalizers)
	words := refused(t, http.StatusForbidden, s.user.Create(t.Context(), late))
	require.Equal(t, `processes.scratch.example.com "late" is forbidden: unable to create new content in namespace `+
		space.Name+" because it is being terminated", words)

	says := map[corev1.NamespaceConditionType]corev1.NamespaceCondition{}
	await(s, space, &corev1.NamespaceList{}, func(now **corev1.Namespace) bool {
		require.NotNil(t, now, "an object is in it")
		for _, c := range (*now).Status.Conditions {
			says[c.Type] = c
		}
		return says[corev1.NamespaceFinalizersRemaining].Status == corev1.ConditionTrue
	})
	for kind, want := range map[corev1.NamespaceConditionType][2]string{
		corev1.NamespaceContentRemaining: {"SomeResourcesRemain",
			"Some resources are remaining: processes.scratch.example.com has 1 resource instances"},
		corev1.NamespaceFinalizersRemaining: {"SomeFinalizersRemain",
			"Some content in the namespace has finalizers remaining: " + ours + " in 1 resource instances"},
	} {
		require.Equal(t, corev1.ConditionTrue, says[kind].Status)
		require.Equal(t, want, [2]string{says[kind].Reason, says[kind].Message})
	}
	s.gone(free)
	require.NotNil(t, onServer(s, held).DeletionTimestamp)
	require.NoError(t, s.patch(held, only()))
	awaitGone(s, space, &corev1.NamespaceList{})
}
