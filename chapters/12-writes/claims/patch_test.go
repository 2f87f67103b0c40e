package claims

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// sends is what a patch sends of an object.
func (s *stage) sends(p client.Patch, o client.Object) string {
	s.t.Helper()
	data, err := p.Data(o)
	require.NoError(s.t, err)
	return string(data)
}

// isCode says whether an error is the server's, with this code.
func isCode(err error, code int32) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Code == code
}

// A patch is the difference between a copy, taken before, and what it is now. What did not change is not sent, so that
// somebody else may have changed it; what was taken away is sent as null. But a list is one value: a JSON merge patch
// sends all of it, and what somebody else has added to it is gone.
//
// covers: S0-45
func TestAMergePatchReplacesLists(t *testing.T) {
	s := newStage(t)
	web := s.pods("web", "web=web:1", "log=log:1")
	web.Labels = map[string]string{"old": "yes"}
	s.create(web)
	elsewhere(s, web, func(p *corev1.PodTemplate) {
		mark(p, "theirs", "yes")
		p.Template.Labels = map[string]string{"theirs": "yes"}
	})
	base := copyOf(web)
	web.Labels = map[string]string{"mine": "yes"}
	patch := client.MergeFrom(base)
	require.JSONEq(t, `{"metadata":{"labels":{"mine":"yes","old":null}}}`, s.sends(patch, web))
	require.NoError(t, s.live.Patch(t.Context(), web, patch))
	require.Equal(t, map[string]string{"mine": "yes", "theirs": "yes"}, web.Labels)
	require.Equal(t, map[string]string{"theirs": "yes"}, web.Template.Labels, "what came back has all of it")

	elsewhere(s, web, addsProxy)
	base = copyOf(web)
	web.Template.Spec.Containers[1].Image = "log:2"
	patch = client.MergeFrom(base)
	var sent corev1.PodTemplate
	require.NoError(t, json.Unmarshal([]byte(s.sends(patch, web)), &sent))
	require.Equal(t, []string{"web=web:1", "log=log:2"}, containers(&sent), "also the one that did not change")
	require.NoError(t, s.live.Patch(t.Context(), web, patch))
	require.Equal(t, []string{"web=web:1", "log=log:2"}, containers(onServer(s, web)),
		"theirs is gone, without an error")
}

// A copy of the object as the patch's base, and no version, suits an object that has one writer: it never conflicts
// with those who write metadata, or the status. Where there is another writer of the same field, the last one wins.
//
// covers: S0-42
func TestAFullyOwnedObject(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	elsewhere(s, web, func(p *v1alpha1.Process) { mark(p, "theirs", "yes") })
	status := onServer(s, web)
	status.Status.PID = ptr.To[int32](1)
	require.NoError(t, s.live.Status().Update(t.Context(), status))

	base := copyOf(web)
	web.Spec.Args = []string{"60"}
	patch := client.MergeFrom(base)
	require.JSONEq(t, `{"spec":{"args":["60"]}}`, s.sends(patch, web), "no version, and nothing but the spec")
	require.NoError(t, s.live.Patch(t.Context(), web, patch), "though what it has read is old by two versions")
	require.Equal(t, "yes", web.Labels["theirs"])
	require.Equal(t, int32(1), *web.Status.PID)

	base = copyOf(web)
	elsewhere(s, web, func(p *v1alpha1.Process) { p.Spec.Args = []string{"90"} })
	web.Spec.Args = []string{"120"}
	require.NoError(t, s.live.Patch(t.Context(), web, client.MergeFrom(base)))
	require.Equal(t, []string{"120"}, onServer(s, web).Spec.Args, "there must be no other writer")
}

// A published example saves spec and status with one patch, which names the version of its base: the second call is
// always refused, because the first has made a new version. Without the lock it works, and so does a second patch whose
// base is what came back from the first. Either way the status is to be kept, because what comes back is put in its
// place.
//
// covers: B-67 S0-47
func TestOnePatchWithALockForTwoCalls(t *testing.T) {
	s := newStage(t)
	ctx := t.Context()
	change := func(p *v1alpha1.Process) {
		p.Spec.Args = []string{"60"}
		p.Status.PID = ptr.To[int32](1)
	}
	lock := client.MergeFromWithOptimisticLock{}
	for name, save := range map[string]func(base, o *v1alpha1.Process) error{
		"published": func(base, o *v1alpha1.Process) error {
			patch := client.MergeFromWithOptions(base, lock)
			status := o.Status.DeepCopy()
			if err := s.live.Patch(ctx, o, patch); err != nil {
				t.Error("the first call: ", err)
			}
			o.Status = *status
			return s.live.Status().Patch(ctx, o, patch)
		},
		"no-lock": func(base, o *v1alpha1.Process) error {
			patch := client.MergeFrom(base)
			status := o.Status.DeepCopy()
			if err := s.live.Patch(ctx, o, patch); err != nil {
				return err
			}
			o.Status = *status
			return s.live.Status().Patch(ctx, o, patch)
		},
		"two-bases": func(base, o *v1alpha1.Process) error {
			status := o.Status.DeepCopy()
			if err := s.live.Patch(ctx, o, client.MergeFromWithOptions(base, lock)); err != nil {
				return err
			}
			require.Nil(t, o.Status.PID, "the answer has the status that is stored")
			base = copyOf(o)
			o.Status = *status
			return s.live.Status().Patch(ctx, o, client.MergeFromWithOptions(base, lock))
		},
	} {
		o := s.process(name)
		s.create(o)
		base := copyOf(o)
		change(o)
		err := save(base, o)
		after := onServer(s, o)
		require.Equal(t, []string{"60"}, after.Spec.Args, name)
		if name == "published" {
			require.True(t, apierrors.IsConflict(err), "%v", err)
			require.Nil(t, after.Status.PID, "half of it is done")
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, int32(1), *after.Status.PID, name)
	}
}

// A patch with a lock names the version of its base, and is refused as an update is. A base without a version has none
// to name.
//
// covers: C-38
func TestAPatchWithALock(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	s.create(web)
	base := copyOf(web)
	mark(web, "mine", "yes")
	patch := client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})
	require.JSONEq(t, `{"metadata":{"labels":{"mine":"yes"},"resourceVersion":"`+base.ResourceVersion+`"}}`,
		s.sends(patch, web))
	elsewhere(s, web, func(p *v1alpha1.Process) { mark(p, "theirs", "yes") })
	err := s.live.Patch(t.Context(), web, patch)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	_, err = client.MergeFromWithOptions(s.process("web"), client.MergeFromWithOptimisticLock{}).Data(web)
	require.ErrorContains(t, err, "cannot use OptimisticLock")
}

// A strategic merge patch knows by which field the elements of a list are told apart, from tags of the Go types that
// are compiled into the server and the client. It is what kubectl sends for built-in kinds if not told otherwise. Of
// a custom kind neither has such a type: the server answers that it does not take the media type, and kubectl asks
// first.
//
// covers: B-82 S0-50
func TestAStrategicMergePatch(t *testing.T) {
	s := newStage(t)
	web := s.pods("web", "web=web:1", "log=log:1")
	s.create(web)
	elsewhere(s, web, addsProxy)
	base := copyOf(web)
	web.Template.Spec.Containers[1].Image = "log:2"
	patch := client.StrategicMergeFrom(base)
	require.JSONEq(t, `{"template":{"spec":{"containers":[{"image":"log:2","name":"log"}],
		"$setElementOrder/containers":[{"name":"web"},{"name":"log"}]}}}`, s.sends(patch, web))
	require.NoError(t, s.live.Patch(t.Context(), web, patch))
	require.ElementsMatch(t, []string{"web=web:1", "log=log:2", "proxy=proxy:1"}, containers(onServer(s, web)))
	s.Kubectl("patch", "podtemplate", "web", "-p",
		`{"template":{"spec":{"containers":[{"name":"log","image":"log:3"}]}}}`)
	require.ElementsMatch(t, []string{"web=web:1", "log=log:3", "proxy=proxy:1"}, containers(onServer(s, web)))

	custom := s.process("web")
	s.create(custom)
	own := copyOf(custom)
	custom.Spec.Args = []string{"60"}
	err := s.live.Patch(t.Context(), custom, client.StrategicMergeFrom(own))
	require.True(t, isCode(err, http.StatusUnsupportedMediaType), "%v", err)
	_, err = s.TryKubectl("patch", "process", "web", "-p", `{"spec":{"args":["60"]}}`)
	require.Error(t, err)
	s.Kubectl("patch", "process", "web", "--type", "merge", "-p", `{"spec":{"args":["60"]}}`)
	require.Equal(t, []string{"60"}, onServer(s, own).Spec.Args)
}

// One change, made from what was read before somebody else added a container, by each of the ways there are. Whether
// the other's container is lost, the write refused, or both kept is the way's choice.
//
// covers: S0-51 S0-44
func TestHowEachWayEnds(t *testing.T) {
	s := newStage(t)
	ours, both := []string{"web=web:2"}, []string{"web=web:2", "proxy=proxy:1"}
	var refused []string
	lock := client.MergeFromWithOptimisticLock{}
	for name, test := range map[string]struct {
		write func(ctx context.Context, base, o *corev1.PodTemplate) error
		ends  []string
	}{
		"update": {func(ctx context.Context, _, o *corev1.PodTemplate) error { return s.live.Update(ctx, o) }, refused},
		"update-unconditionally": {func(ctx context.Context, _, o *corev1.PodTemplate) error {
			o.ResourceVersion = ""
			return s.live.Update(ctx, o)
		}, ours},
		"merge": {func(ctx context.Context, base, o *corev1.PodTemplate) error {
			return s.live.Patch(ctx, o, client.MergeFrom(base))
		}, ours},
		"merge-locked": {func(ctx context.Context, base, o *corev1.PodTemplate) error {
			return s.live.Patch(ctx, o, client.MergeFromWithOptions(base, lock))
		}, refused},
		"strategic": {func(ctx context.Context, base, o *corev1.PodTemplate) error {
			return s.live.Patch(ctx, o, client.StrategicMergeFrom(base))
		}, both},
		"strategic-locked": {func(ctx context.Context, base, o *corev1.PodTemplate) error {
			return s.live.Patch(ctx, o, client.StrategicMergeFrom(base, lock))
		}, refused},
		"apply": {func(ctx context.Context, _, o *corev1.PodTemplate) error {
			return s.live.Apply(ctx, s.podsSaid(o.Name, containers(o)...), client.FieldOwner("mine"),
				client.ForceOwnership)
		}, both},
	} {
		o := s.pods(name, "web=web:1")
		s.create(o)
		base := copyOf(o)
		elsewhere(s, o, addsProxy)
		o.Template.Spec.Containers[0].Image = "web:2"
		err := test.write(t.Context(), base, o)
		require.Equal(t, test.ends == nil, apierrors.IsConflict(err), "%s: %v", name, err)
		if test.ends != nil {
			require.NoError(t, err, name)
			require.ElementsMatch(t, test.ends, containers(onServer(s, o)), name)
		}
	}
}

// A strategic merge patch is made by what the tags of a Go type say. An object without a Go type has none, and an
// element of a list that is merged by a key has to have the key.
func TestAStrategicMergePatchThatCantBeMade(t *testing.T) {
	s := newStage(t)
	web := s.pods("web", "web=web:1")
	s.create(web)
	loose := &unstructured.Unstructured{}
	loose.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodTemplate"))
	loose.SetNamespace(s.Namespace)
	loose.SetName("web")
	loose = onServer(s, loose)
	base := copyOf(loose)
	require.NoError(t, unstructured.SetNestedStringMap(loose.Object, map[string]string{"app": "web"}, "metadata",
		"labels"))
	err := s.live.Patch(t.Context(), loose, client.StrategicMergeFrom(base))
	require.EqualError(t, err, `unable to find api field in struct Unstructured for the json field "metadata"`)
	require.NoError(t, s.live.Patch(t.Context(), loose, client.MergeFrom(base)))

	said, err := s.TryKubectl("patch", "podtemplate", "web", "-p",
		`{"template":{"spec":{"containers":[{"image":"web:2"}]}}}`)
	require.Error(t, err)
	require.Contains(t, said, "does not contain declared merge key: name")
}
