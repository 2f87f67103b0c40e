package claims

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A name that is taken is refused, whoever has it: one's own child whose creation was not heard of yet, a stranger, or
// a child that is being deleted. The reason is AlreadyExists each time. The words tell the last one apart, and the
// controller's UID the first two.
//
// covers: S0-43
func TestAnswersToANameThatIsTaken(t *testing.T) {
	s := newSite(t)
	set := made(s, s.set("web"))
	goes := s.child("web-2", controlledBy(set))
	goes.Finalizers = []string{"scratch.example.com/stop"}
	for _, o := range []client.Object{s.child("web-0", controlledBy(set)), s.child("web-1"), goes} {
		made(s, o)
	}
	require.NoError(t, s.user.Delete(t.Context(), goes))
	for name, whose := range map[string]struct {
		words string
		own   bool
	}{
		"web-0": {`processes.scratch.example.com "web-0" already exists`, true},
		"web-1": {`processes.scratch.example.com "web-1" already exists`, false},
		"web-2": {`object is being deleted: processes.scratch.example.com "web-2" already exists`, true},
	} {
		err := s.user.Create(t.Context(), s.child(name, controlledBy(set)))
		require.True(t, apierrors.IsAlreadyExists(err), "%v", err)
		require.Equal(t, whose.words, refused(t, http.StatusConflict, err))
		require.Equal(t, whose.own, metav1.IsControlledBy(onServer(s, s.child(name)), set), name)
	}
	require.NotNil(t, onServer(s, goes).DeletionTimestamp, "it exists, and will not be a child for long")
	require.NoError(t, s.patch(goes, map[string]any{"finalizers": nil}))
	made(s, s.child("web-2", controlledBy(set)))
}

// A Deployment's children are not changed but replaced, and have names that can be computed: the Deployment's, and a
// hash of the template. A child that is lost comes again under its name.
//
// covers: S0-43
func TestADeploymentComputesItsChildsName(t *testing.T) {
	controllers(t)
	s := newSite(t)
	web := &appsv1.Deployment{ObjectMeta: s.named("web"), Spec: appsv1.DeploymentSpec{Replicas: new(int32),
		Selector: &metav1.LabelSelector{MatchLabels: matching()}, Template: nowhere()}}
	made(s, web)
	first := s.replicaSetBut("")
	hash := first.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	require.NotEmpty(t, hash)
	require.Equal(t, "web-"+hash, first.Name)
	require.NoError(t, s.user.Delete(t.Context(), first))
	again := s.replicaSetBut(first.UID)
	require.Equal(t, first.Name, again.Name)
}

// nowhere is a template of Pods that fit no node.
func nowhere() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: matching()}, Spec: corev1.PodSpec{
		NodeSelector: map[string]string{"scratch.example.com/no-node": "has-this"},
		Containers:   []corev1.Container{{Name: "web", Image: "web:1"}}}}
}
