package claims

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// misspelt is a Process with a field that its schema does not have.
func (s *stage) misspelt(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": v1alpha1.GroupVersion.String(),
		"kind": "Process", "metadata": map[string]any{"namespace": s.Namespace, "name": name},
		"spec": map[string]any{"command": "sleep", "arguments": []any{"60"}}}}
}

// A client can be wrapped in another, which adds to each write the manager's name, or how strictly fields are checked,
// or that nothing be stored; or to each call the namespace.
//
// covers: C-24
func TestWrappedClients(t *testing.T) {
	s := newStage(t)
	web := s.process("owned")
	require.NoError(t, client.WithFieldOwner(s.live, "mine").Create(t.Context(), web))
	require.Equal(t, []string{"mine Update "}, managersOf(web))
	require.NoError(t, client.WithFieldOwner(s.live, "mine").Create(t.Context(), s.process("other"),
		client.FieldOwner("this one")))
	require.Equal(t, []string{"this one Update "}, managersOf(onServer(s, s.process("other"))), "a call's own wins")

	strict := client.WithFieldValidation(s.live, metav1.FieldValidationStrict)
	require.NoError(t, s.live.Create(t.Context(), s.misspelt("warned")), "it is dropped, with a warning")
	err := strict.Create(t.Context(), s.misspelt("strict"))
	require.True(t, apierrors.IsBadRequest(err), "%v", err)
	require.ErrorContains(t, err, `unknown field "spec.arguments"`)

	dry := client.NewDryRunClient(s.live)
	tried := s.process("tried")
	require.NoError(t, dry.Create(t.Context(), tried))
	require.Equal(t, v1alpha1.RestartAlways, tried.Spec.RestartPolicy, "defaults and checks are the real ones")
	err = s.live.Get(t.Context(), client.ObjectKeyFromObject(tried), tried)
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	require.NoError(t, dry.Delete(t.Context(), web))
	onServer(s, web)

	inside := client.NewNamespacedClient(s.live, s.Namespace)
	read := &v1alpha1.Process{}
	require.NoError(t, inside.Get(t.Context(), client.ObjectKey{Name: "owned"}, read))
	require.Equal(t, web.UID, read.UID)
	var list v1alpha1.ProcessList
	require.NoError(t, inside.List(t.Context(), &list))
	require.Len(t, list.Items, 3, "of its namespace alone")
	err = inside.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "owned"}, read)
	require.ErrorContains(t, err, "default")
	require.False(t, apierrors.IsNotFound(err), "another namespace is refused before anything is sent: %v", err)
}

// The same is said by options when a client is made. One that can watch keeps to them too.
//
// covers: C-24
func TestClientsThatAreMadeSo(t *testing.T) {
	s := newStage(t)
	options := client.Options{HTTPClient: s.HTTPClient(), Scheme: s.scheme, Mapper: s.live.RESTMapper(),
		FieldOwner: "mine", FieldValidation: metav1.FieldValidationStrict}
	owner, err := client.NewWithWatch(s.config, options)
	require.NoError(t, err)
	web := s.process("web")
	require.NoError(t, owner.Create(t.Context(), web))
	require.Equal(t, []string{"mine Update "}, managersOf(web))
	err = owner.Create(t.Context(), s.misspelt("strict"))
	require.ErrorContains(t, err, `unknown field "spec.arguments"`)
	options.DryRun = ptr.To(true)
	dry, err := client.NewWithWatch(s.config, options)
	require.NoError(t, err)

	stream, err := dry.Watch(t.Context(), &v1alpha1.ProcessList{}, client.InNamespace(s.Namespace))
	require.NoError(t, err)
	defer stream.Stop()
	first := <-stream.ResultChan()
	require.Equal(t, watch.Added, first.Type)
	require.NoError(t, dry.Create(t.Context(), s.process("tried")))
	require.NoError(t, owner.Create(t.Context(), s.process("later")))
	second := <-stream.ResultChan()
	require.Equal(t, "later", second.Object.(*v1alpha1.Process).Name, "what was tried is not there")
}

// An interceptor has each call of a client go through a function, which may fail in its place: a fault to try a
// reconciler with, over a real server as over a fake.
//
// covers: C-24
func TestAnInterceptor(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	broken := errors.New("the network is down")
	var asked []string
	over := interceptor.NewClient(s.live, interceptor.Funcs{
		Update: func(context.Context, client.WithWatch, client.Object, ...client.UpdateOption) error { return broken },
		SubResourceUpdate: func(ctx context.Context, c client.Client, name string, o client.Object,
			options ...client.SubResourceUpdateOption) error {
			asked = append(asked, name)
			return c.SubResource(name).Update(ctx, o, options...)
		},
	})
	require.ErrorIs(t, over.Update(t.Context(), copyOf(web)), broken)
	web.Status.PID = ptr.To[int32](1)
	require.NoError(t, over.Status().Update(t.Context(), web))
	require.Equal(t, []string{"status"}, asked)
	require.Equal(t, int32(1), *onServer(s, web).Status.PID)
}

// SubResource is a client for what hangs on an object: a scale is read and written as a Scale, whatever has it, a token
// is made for a ServiceAccount, a Pod is evicted, and nothing of that is a Go method for each.
//
// covers: C-25
func TestSubResources(t *testing.T) {
	s := newStage(t)
	labels := map[string]string{"app": "web"}
	set := &v1alpha1.ProcessSet{ObjectMeta: s.named("web"), Spec: v1alpha1.ProcessSetSpec{Selector: labels,
		Template: v1alpha1.ProcessTemplate{Labels: labels, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
	s.create(set)
	scales := s.live.SubResource("scale")
	var scale autoscalingv1.Scale
	require.NoError(t, scales.Get(t.Context(), set, &scale))
	require.Equal(t, int32(1), scale.Spec.Replicas)
	scale.Spec.Replicas = 3
	require.NoError(t, scales.Update(t.Context(), set, client.WithSubResourceBody(&scale)))
	after := onServer(s, set)
	require.Equal(t, int32(3), *after.Spec.Replicas)
	scale.Spec.Replicas = 5
	scale.ResourceVersion = set.ResourceVersion
	err := scales.Update(t.Context(), set, client.WithSubResourceBody(&scale))
	require.True(t, apierrors.IsConflict(err), "its version is the object's: %v", err)

	account := &corev1.ServiceAccount{ObjectMeta: s.named("runner")}
	s.create(account)
	token := &authenticationv1.TokenRequest{}
	require.NoError(t, s.live.SubResource("token").Create(t.Context(), account, token))
	require.NotEmpty(t, token.Status.Token)

	pod := &corev1.Pod{ObjectMeta: s.named("web"), Spec: s.pods("", "web=web:1").Template.Spec}
	pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "scratch.example.com/never"}} // nothing runs it
	pod.Spec.ServiceAccountName = "runner"
	s.create(pod)
	require.NoError(t, s.live.SubResource("eviction").Create(t.Context(), pod, &policyv1.Eviction{}))
	err = s.live.Get(t.Context(), client.ObjectKeyFromObject(pod), copyOf(pod))
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	err = s.live.SubResource("eviction").Create(t.Context(), pod, &policyv1.Eviction{})
	require.True(t, isCode(err, http.StatusNotFound), "%v", err)
}
