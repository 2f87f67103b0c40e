package claims

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// A status is written by Status(), which is SubResource("status"): update, patch or apply. The root client's update
// does not write it, and gives no error, and puts the stored status in the place of the one that was to be written. A
// subresource cannot be deleted: it is a part of its object.
//
// covers: S0-46
func TestAStatusIsWrittenByItsOwnClient(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	web.Status.PID = ptr.To[int32](1)
	require.NoError(t, s.live.Update(t.Context(), web))
	require.Nil(t, web.Status.PID, "it is lost, also here")
	require.Nil(t, onServer(s, web).Status.PID)

	web.Status.PID = ptr.To[int32](2)
	require.NoError(t, s.live.Status().Update(t.Context(), web))
	require.Equal(t, int32(2), *onServer(s, web).Status.PID)
	base := copyOf(web)
	web.Status.PID = ptr.To[int32](3)
	require.NoError(t, s.live.SubResource("status").Patch(t.Context(), web, client.MergeFrom(base)))
	require.Equal(t, int32(3), *onServer(s, web).Status.PID)

	methods := func(of reflect.Type) (all []string) {
		for i := range of.NumMethod() {
			all = append(all, of.Method(i).Name)
		}
		return all
	}
	require.Equal(t, []string{"Apply", "Create", "Patch", "Update"},
		methods(reflect.TypeFor[client.SubResourceWriter]()))
	require.Equal(t, []string{"Apply", "Create", "Get", "Patch", "Update"},
		methods(reflect.TypeFor[client.SubResourceClient]()))
}

// Spec and status are two calls. The first puts what is stored in the place of the status that is still to be written,
// so that who does not keep a copy writes the old status, and there is no error. Between the two calls, others see the
// new spec and the old status.
//
// covers: S0-47
func TestSpecAndStatusAreTwoCalls(t *testing.T) {
	s := newStage(t)
	change := func(p *v1alpha1.Process) {
		p.Spec.Args = []string{"60"}
		p.Status.PID = ptr.To[int32](1)
	}
	careless := s.process("careless")
	s.create(careless)
	change(careless)
	require.NoError(t, s.live.Update(t.Context(), careless))
	require.NoError(t, s.live.Status().Update(t.Context(), careless))
	require.Nil(t, onServer(s, careless).Status.PID)

	web := s.process("web")
	s.create(web)
	change(web)
	wanted := web.Status.DeepCopy()
	require.NoError(t, s.live.Update(t.Context(), web))
	between := onServer(s, web)
	require.Equal(t, []string{"60"}, between.Spec.Args)
	require.Nil(t, between.Status.PID)
	web.Status = *wanted
	require.NoError(t, s.live.Status().Update(t.Context(), web), "its version is the one that the first call made")
	after := onServer(s, web)
	require.Equal(t, int32(1), *after.Status.PID)
	require.Equal(t, []string{"60"}, after.Spec.Args)
}

// An object has one version, for all of it. So two controllers that write one status refuse each other, though each
// writes a field of its own, and so does who writes a label to who writes the status. Two that patch without a lock
// never do, and of a field that both write the last one wins: they take turns for ever.
//
// covers: S0-18
func TestTwoWritersOfOneStatus(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	writes := func(o *v1alpha1.Process, change func(*v1alpha1.Process)) error {
		change(o)
		return s.live.Status().Update(t.Context(), o)
	}
	pid := func(o *v1alpha1.Process) { o.Status.PID = ptr.To[int32](1) }
	first, second, third := copyOf(web), copyOf(web), copyOf(web)
	require.NoError(t, writes(first, pid))
	err := writes(second, func(o *v1alpha1.Process) { o.Status.Restarts = 1 })
	require.True(t, apierrors.IsConflict(err), "another field: %v", err)
	mark(third, "theirs", "yes")
	err = s.live.Update(t.Context(), third)
	require.True(t, apierrors.IsConflict(err), "not even the status: %v", err)

	phase := func(o *v1alpha1.Process, phase v1alpha1.Phase) {
		base := copyOf(o)
		o.Status.Phase = phase
		require.NoError(t, s.live.Status().Patch(t.Context(), o, client.MergeFrom(base)))
	}
	phase(first, v1alpha1.PhaseRunning)
	phase(second, v1alpha1.PhaseFailed)
	require.Equal(t, v1alpha1.PhaseFailed, onServer(s, web).Status.Phase)
	require.NotEqual(t, first.Status.Phase, onServer(s, web).Status.Phase, "the first is to write it again")
}

// A lock is about the whole object: a status that was made from what was read is refused when somebody has written a
// label since, and what it says is nowhere. Without the lock the same patch is accepted.
//
// covers: B-67
func TestALockedStatusIsLostToALabel(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	started, theirs := copyOf(web), copyOf(web)
	mark(theirs, "theirs", "yes")
	require.NoError(t, s.live.Update(t.Context(), theirs))
	started.Status.PID = ptr.To[int32](1)
	err := s.live.Status().Patch(t.Context(), copyOf(started),
		client.MergeFromWithOptions(web, client.MergeFromWithOptimisticLock{}))
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Nil(t, onServer(s, web).Status.PID)
	require.NoError(t, s.live.Status().Patch(t.Context(), started, client.MergeFrom(web)))
	require.Equal(t, ptr.To[int32](1), onServer(s, web).Status.PID)
	require.Equal(t, "yes", onServer(s, web).Labels["theirs"])
}

// Which part of the metadata a status's URL takes is each kind's: a Pod's takes labels, and a Deployment's drops them.
// Neither write names a version, as a scheduler and a controller write meanwhile.
//
// covers: S0-46
func TestLabelsInAStatus(t *testing.T) {
	s := newStage(t)
	labels := map[string]string{"app": "web"}
	meta := metav1.ObjectMeta{Namespace: s.Namespace, Name: "web"}
	containers := corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}
	pod := &corev1.Pod{ObjectMeta: meta, Spec: containers}
	require.NoError(t, s.live.Create(t.Context(), pod))
	mark(pod, "mine", "yes")
	pod.ResourceVersion = ""
	require.NoError(t, s.live.Status().Update(t.Context(), pod))
	require.Equal(t, "yes", onServer(s, pod).Labels["mine"])

	deployment := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: ptr.To[int32](0),
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: containers}}}
	require.NoError(t, s.live.Create(t.Context(), deployment))
	mark(deployment, "mine", "yes")
	deployment.ResourceVersion = ""
	require.NoError(t, s.live.Status().Update(t.Context(), deployment))
	require.Empty(t, onServer(s, deployment).Labels["mine"])
}
