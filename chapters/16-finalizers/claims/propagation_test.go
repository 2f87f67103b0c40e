package claims

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// belongsTo is the reference to an owner.
func (s *site) belongsTo(o client.Object) metav1.OwnerReference {
	s.t.Helper()
	kind, err := s.user.GroupVersionKindFor(o)
	require.NoError(s.t, err)
	version, name := kind.ToAPIVersionAndKind()
	return metav1.OwnerReference{APIVersion: version, Kind: name, Name: o.GetName(), UID: o.GetUID()}
}

// family is an owner and two children, all of them ConfigMaps: the garbage collector hears of a kind's objects in the
// order in which they were written, so that it knows the children before it hears of the owner's deletion.
type family struct {
	*story
	owner *corev1.ConfigMap
}

// newFamily makes one. Each of its children has a finalizer and a reference with this blockOwnerDeletion.
func newFamily(s *site, blocks bool, finalizers ...string) *family {
	s.t.Helper()
	owner := made(s, s.configMap("owner", finalizers...))
	reference := s.belongsTo(owner)
	reference.BlockOwnerDeletion = &blocks
	for _, name := range []string{"a", "b"} {
		child := s.configMap(name, ours)
		child.OwnerReferences = []metav1.OwnerReference{reference}
		made(s, child)
	}
	return &family{s.follow(&corev1.ConfigMapList{}), owner}
}

// free takes the finalizers out of one of it.
func (f *family) free(name string) {
	f.t.Helper()
	require.NoError(f.t, f.patch(f.configMap(name), only()))
}

// awaitMark reads on until one of it is being deleted, unless that was seen.
func (f *family) awaitMark(name string) {
	f.t.Helper()
	if !slices.ContainsFunc(f.events, func(e event) bool { return e.name == name && e.deleting }) {
		f.marked(name)
	}
}

// delete deletes the owner.
func (f *family) delete(options ...client.DeleteOption) {
	f.t.Helper()
	require.NoError(f.t, f.user.Delete(f.t.Context(), f.owner, options...))
}

// In the background the owner goes first, at once, and then its children are deleted. Their finalizers keep them, and
// nothing keeps the owner: what a child's clean-up wants to know of the owner is gone by then.
//
// covers: S0-60 S0-61 B-86
func TestInTheBackgroundTheOwnerGoesFirst(t *testing.T) {
	controllers(t)
	f := newFamily(newSite(t), true)
	f.delete(propagation(metav1.DeletePropagationBackground))
	f.gone(f.owner)
	first := f.until(func(event) bool { return true })
	require.Equal(t, "owner", first.name, "before a child")
	require.Equal(t, watch.Deleted, first.what)
	f.awaitMark("a")
	f.awaitMark("b")
	f.free("a")
	f.free("b")
	f.goesAll("a", "b")
}

// In the foreground the owner gets a finalizer, foregroundDeletion, and its children are deleted while it is there. The
// garbage collector takes the finalizer out when no child is left that blocks: the owner is the last that goes. So it
// waits for the children's own finalizers, too. No order holds among the children: they are deleted all together.
//
// covers: S0-60 B-86
func TestInTheForegroundTheOwnerGoesLast(t *testing.T) {
	controllers(t)
	f := newFamily(newSite(t), true)
	f.delete(propagation(metav1.DeletePropagationForeground))
	require.Equal(t, []string{metav1.FinalizerDeleteDependents}, f.marked("owner").finalizers)
	for _, name := range []string{"a", "b"} {
		f.awaitMark(name)
	}
	f.free("b")
	f.goes("b")
	require.Equal(t, []string{metav1.FinalizerDeleteDependents}, onServer(f.site, f.owner).Finalizers)
	f.free("a")
	f.goes("owner")
	require.Greater(t, f.at(watch.Deleted, "owner"), f.at(watch.Deleted, "a"))
	require.Greater(t, f.at(watch.Deleted, "a"), f.at(watch.Deleted, "b"))
}

// A child whose reference does not say blockOwnerDeletion is deleted as well, and the owner does not wait for it. The
// field is about that alone: in the background no owner waits for a child, whatever the reference says.
//
// covers: S0-60
func TestAChildThatDoesNotBlock(t *testing.T) {
	controllers(t)
	f := newFamily(newSite(t), false)
	f.delete(propagation(metav1.DeletePropagationForeground))
	f.goes("owner")
	require.False(t, f.told(watch.Deleted, "a") || f.told(watch.Deleted, "b"), "the children are there")
	f.free("a")
	f.free("b")
	f.goesAll("a", "b")
}

// An orphan's reference is not ignored, but taken off. For that the owner has a finalizer until the garbage collector
// has changed each child, and it goes after that.
//
// covers: S0-60 B-86
func TestOrphansLoseTheirReferences(t *testing.T) {
	controllers(t)
	f := newFamily(newSite(t), true)
	f.delete(propagation(metav1.DeletePropagationOrphan))
	require.Equal(t, []string{metav1.FinalizerOrphanDependents}, f.marked("owner").finalizers)
	f.goes("owner")
	for _, name := range []string{"a", "b"} {
		require.Less(t, f.at(watch.Modified, name), f.at(watch.Deleted, "owner"), name)
		child := onServer(f.site, f.configMap(name))
		require.Empty(t, child.OwnerReferences)
		require.Nil(t, child.DeletionTimestamp)
		require.Equal(t, []string{ours}, child.Finalizers)
	}
}

// An owner with a finalizer of its own that is deleted in the background keeps its children: the garbage collector
// waits for it to go, whatever time that takes. A clean-up that waits for the children to go first has to delete them.
//
// covers: S0-61 S0-60
func TestAFinalizerKeepsTheChildren(t *testing.T) {
	controllers(t)
	f := newFamily(newSite(t), true, ours)
	f.delete(propagation(metav1.DeletePropagationBackground))
	require.Equal(t, []string{ours}, f.marked("owner").finalizers)
	f.collectorSees()
	for _, name := range []string{"a", "b"} {
		require.Nil(t, onServer(f.site, f.configMap(name)).DeletionTimestamp, name)
	}
	require.NoError(t, f.user.Delete(t.Context(), f.configMap("b")), "a clean-up of one's own, last one first")
	f.free("b")
	f.goes("b")
	f.free("owner")
	f.goes("owner")
	require.Greater(t, f.marked("a").version, f.at(watch.Deleted, "owner"))
	require.Greater(t, f.at(watch.Deleted, "owner"), f.at(watch.Deleted, "b"))
	f.free("a")
}

// Deleted in the foreground, an owner with a finalizer of its own is held by two: the garbage collector deletes the
// children while the clean-up runs, and either may be done first.
//
// covers: S0-60 S0-61 B-86
func TestForegroundAndAFinalizerOfOnesOwn(t *testing.T) {
	controllers(t)
	for name, first := range map[string]struct {
		free, then string
		left       []string
	}{
		"the clean-up is done first":  {"owner", "a", []string{metav1.FinalizerDeleteDependents}},
		"the children are gone first": {"a", "owner", []string{ours}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFamily(newSite(t), true, ours)
			f.free("b")
			f.delete(propagation(metav1.DeletePropagationForeground))
			require.Equal(t, []string{ours, metav1.FinalizerDeleteDependents}, f.marked("owner").finalizers)
			f.goesAll("b")
			f.awaitMark("a")
			if first.free == "owner" {
				require.NoError(t, f.patch(f.owner, only(metav1.FinalizerDeleteDependents)))
			} else {
				f.free("a")
			}
			f.until(func(e event) bool { return e.name == "owner" && slices.Equal(e.finalizers, first.left) })
			f.free(first.then)
			f.goes("owner")
			f.goesAll("a")
		})
	}
}

// The finalizer of a foreground deletion does not make one, if the manifest has it: a deletion in the background, which
// is what kubectl asks for, takes it out again. It counts only when the request names no policy. So it is nobody's way
// to have a clean-up run first.
//
// covers: B-86 S0-60
func TestAForegroundFinalizerByHand(t *testing.T) {
	s := newSite(t)
	byHand := []string{metav1.FinalizerDeleteDependents, ours}
	for policy, left := range map[metav1.DeletionPropagation][]string{
		"":                                 byHand,
		metav1.DeletePropagationForeground: byHand,
		metav1.DeletePropagationBackground: {ours},
		metav1.DeletePropagationOrphan:     {ours, metav1.FinalizerOrphanDependents},
	} {
		o := made(s, s.configMap(strings.ToLower("owner"+string(policy)), byHand...))
		require.ElementsMatch(t, left, s.deletion(o, policy).Finalizers, "policy %q", policy)
	}
}

// The policy is no part of a deletion that has begun: a further request with another one changes it, and the finalizer
// comes or goes. An object that is being deleted gets no finalizer by an update, and this one by a deletion.
//
// covers: S0-60 B-86
func TestAFurtherDeletionChangesThePolicy(t *testing.T) {
	s := newSite(t)
	o := made(s, s.configMap("owner", ours))
	require.Equal(t, []string{ours}, s.deletion(o, metav1.DeletePropagationBackground).Finalizers)
	refused(t, http.StatusUnprocessableEntity, s.patch(o, only(ours, metav1.FinalizerDeleteDependents)))
	require.Equal(t, []string{ours, metav1.FinalizerDeleteDependents},
		s.deletion(o, metav1.DeletePropagationForeground).Finalizers)
	require.Equal(t, []string{ours}, s.deletion(o, metav1.DeletePropagationBackground).Finalizers)
}

// deletion deletes an object that stays, and returns the answer: what the garbage collector does next can't be seen in
// it. An empty policy is none.
func (s *site) deletion(o client.Object, policy metav1.DeletionPropagation) *metav1.PartialObjectMetadata {
	s.t.Helper()
	options := &metav1.DeleteOptions{}
	if policy != "" {
		options.PropagationPolicy = &policy
	}
	resp, body := s.Do(http.MethodDelete, s.pathOf(o), options)
	require.Equal(s.t, http.StatusOK, resp.StatusCode, "%s", body)
	answer := &metav1.PartialObjectMetadata{}
	require.NoError(s.t, json.Unmarshal(body, answer))
	require.Equal(s.t, o.GetUID(), answer.UID, "%s", body)
	return answer
}

// pathOf is where the server has an object.
func (s *site) pathOf(o client.Object) string {
	s.t.Helper()
	kind, err := s.user.GroupVersionKindFor(o)
	require.NoError(s.t, err)
	mapping, err := s.user.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	require.NoError(s.t, err)
	root := "/apis"
	if kind.Group == "" {
		root = "/api"
	}
	return path.Join(root, kind.GroupVersion().String(), "namespaces", o.GetNamespace(), mapping.Resource.Resource,
		o.GetName())
}

// What a deletion does to children when it names no policy is a matter of the kind: a Job of batch/v1 and a
// ReplicationController leave them, with a warning for the Job alone. All others here delete them in the background.
//
// covers: B-85
func TestTheDefaultPolicyIsAMatterOfTheKind(t *testing.T) {
	controllers(t)
	pod := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}}
	never := *pod.DeepCopy()
	never.Spec.RestartPolicy = corev1.RestartPolicyNever
	selector := &metav1.LabelSelector{MatchLabels: pod.Labels}
	for name, kind := range map[string]struct {
		owner   func(metav1.ObjectMeta) client.Object
		list    client.ObjectList
		orphans bool
		warning string
	}{
		"job": {func(m metav1.ObjectMeta) client.Object {
			return &batchv1.Job{ObjectMeta: m, Spec: batchv1.JobSpec{Suspend: ptr.To(true), Template: never}}
		}, &batchv1.JobList{}, true, `299 - "child pods are preserved by default when jobs are deleted; set ` +
			`propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"`},
		"replicationcontroller": {func(m metav1.ObjectMeta) client.Object {
			return &corev1.ReplicationController{ObjectMeta: m, Spec: corev1.ReplicationControllerSpec{
				Replicas: new(int32), Selector: pod.Labels, Template: &pod}}
		}, &corev1.ReplicationControllerList{}, true, ""},
		"deployment": {func(m metav1.ObjectMeta) client.Object {
			return &appsv1.Deployment{ObjectMeta: m, Spec: appsv1.DeploymentSpec{Replicas: new(int32),
				Selector: selector, Template: pod}}
		}, &appsv1.DeploymentList{}, false, ""},
		"configmap": {func(m metav1.ObjectMeta) client.Object {
			return &corev1.ConfigMap{ObjectMeta: m}
		}, &corev1.ConfigMapList{}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			owner := made(s, kind.owner(s.named("owner")))
			child := s.configMap("child")
			child.OwnerReferences = []metav1.OwnerReference{s.belongsTo(owner)}
			made(s, child)
			owners, children := s.follow(kind.list), s.follow(&corev1.ConfigMapList{})
			s.collectorSees() // the collector watches each kind by itself

			resp, _ := s.Do(http.MethodDelete, s.pathOf(owner), nil)
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.Equal(t, kind.warning, resp.Header.Get("Warning"))
			if !kind.orphans {
				owners.goes("owner")
				children.goes("child")
				return
			}
			require.Equal(t, []string{metav1.FinalizerOrphanDependents}, owners.until(func(e event) bool {
				return e.name == "owner" && e.deleting
			}).finalizers)
			owners.goes("owner")
			require.Zero(t, children.until(func(e event) bool { return e.what == watch.Modified }).owners)
			onServer(s, child)
		})
	}
}

// collectorSees returns when the garbage collector has heard of all ConfigMaps that there are: it finds a newer one,
// whose owner has never been.
func (s *site) collectorSees() {
	s.t.Helper()
	y := s.follow(&corev1.ConfigMapList{})
	probe := s.configMap("probe-" + lab.Suffix())
	absent := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "absent", UID: nobody()}
	probe.OwnerReferences = []metav1.OwnerReference{absent}
	made(s, probe)
	y.goes(probe.Name)
}
