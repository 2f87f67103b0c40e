package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// An API server without kube-controller-manager, as envtest has it, marks and deletes nothing else: what is deleted in
// the foreground or orphans its children keeps its finalizer, and so does a Job that is deleted with no word about
// children. A namespace is Terminating, and an owner that is gone leaves its children with their reference. A test that
// waits there for one of these to go waits for ever. All of them go when the controllers come.
//
// covers: C-39 B-85 B-86 B-88
func TestWithoutControllersDeletionsHang(t *testing.T) {
	c := cluster.Private(t)
	s := siteOn(t, c)
	space := made(s, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.Namespace + "-empty"}})
	job := made(s, &batchv1.Job{ObjectMeta: s.named("job"), Spec: batchv1.JobSpec{Suspend: ptr.To(true),
		Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{Name: "job", Image: "job:1"}}}}}})
	foreground, orphan := made(s, s.configMap("foreground")), made(s, s.configMap("orphan"))
	background := made(s, s.configMap("background"))
	children := map[client.Object]*corev1.ConfigMap{}
	references := map[client.Object]metav1.OwnerReference{}
	for _, owner := range []client.Object{job, foreground, orphan, background} {
		child := s.configMap("of-" + owner.GetName())
		child.OwnerReferences = []metav1.OwnerReference{s.belongsTo(owner)}
		child.OwnerReferences[0].BlockOwnerDeletion = ptr.To(true)
		children[owner], references[owner] = made(s, child), child.OwnerReferences[0]
	}

	require.NoError(t, s.user.Delete(t.Context(), background, propagation(metav1.DeletePropagationBackground)))
	for o, policy := range map[client.Object]metav1.DeletionPropagation{
		job: "", foreground: metav1.DeletePropagationForeground, orphan: metav1.DeletePropagationOrphan,
	} {
		s.deletion(o, policy)
	}
	require.NoError(t, s.user.Delete(t.Context(), space))
	s.gone(background)
	for owner, left := range map[client.Object][]string{
		job: {metav1.FinalizerOrphanDependents}, orphan: {metav1.FinalizerOrphanDependents},
		foreground: {metav1.FinalizerDeleteDependents},
	} {
		now := onServer(s, owner)
		require.NotNil(t, now.GetDeletionTimestamp(), owner.GetName())
		require.Equal(t, left, now.GetFinalizers(), owner.GetName())
	}
	for owner, child := range children {
		now := onServer(s, child)
		require.Nil(t, now.DeletionTimestamp, owner.GetName())
		require.Equal(t, []metav1.OwnerReference{references[owner]}, now.OwnerReferences)
	}
	require.Equal(t, []corev1.FinalizerName{corev1.FinalizerKubernetes}, onServer(s, space).Spec.Finalizers)

	t.Setenv(local.SharedEnv, c.Kubeconfig)
	join(t)
	awaitGone(s, space, &corev1.NamespaceList{})
	awaitGone(s, job, &batchv1.JobList{})
	for _, o := range []*corev1.ConfigMap{foreground, orphan, children[foreground], children[background]} {
		awaitGone(s, o, &corev1.ConfigMapList{})
	}
	for _, owner := range []client.Object{job, orphan} {
		require.Empty(t, onServer(s, children[owner]).OwnerReferences, owner.GetName())
	}
}
