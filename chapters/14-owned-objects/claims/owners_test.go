package claims

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
)

// An object has as many owners as one likes, and one of them at most is its controller: the server refuses a second
// one. It does not look whether any of them is there.
//
// covers: S0-59 B-87
func TestOneOwnerIsTheController(t *testing.T) {
	s := newSite(t)
	first, second := made(s, s.set("first")), made(s, s.set("second"))
	both := s.child("both", controlledBy(first), controlledBy(second))
	words := refused(t, http.StatusUnprocessableEntity, s.user.Create(t.Context(), both))
	require.Contains(t, words, "Only one reference can have Controller set to true. "+
		`Found "true" in references for ProcessSet/first and ProcessSet/second`)

	made(s, s.child("graph", controlledBy(first), ownedBy(second)))
	absent := s.set("absent")
	absent.UID = nobody()
	require.NoError(t, s.user.Create(t.Context(), s.child("lost", ownedBy(absent)), client.DryRunAll))
}

// The garbage collector goes by the UID, and looks in the child's own namespace. An owner with another UID is no owner,
// and neither is one in another namespace: the child is deleted. Of the second an event tells.
//
// covers: B-87 S2-11
func TestAnOwnerThatIsNoneDeletesTheChild(t *testing.T) {
	controllers(t)
	s := newSite(t)
	owner := made(s, s.configMap("owner"))
	wrong := belongsTo(owner)
	wrong.UID = nobody()
	child := made(s, s.configMap("wrong-uid", wrong))
	awaitGone(s, child, &corev1.ConfigMapList{})
	onServer(s, owner)

	elsewhere := newSite(t)
	child = made(elsewhere, elsewhere.configMap("far", belongsTo(owner)))
	awaitGone(elsewhere, child, &corev1.ConfigMapList{})
	onServer(s, owner)
	event := elsewhere.eventOf(child)
	require.Equal(t, "OwnerRefInvalidNamespace", event.Reason)
	require.Contains(t, event.Message, `does not exist in namespace "`+elsewhere.Namespace+`"`)
}

// eventOf is the first event about an object.
func (s *site) eventOf(o client.Object) (found *corev1.Event) {
	s.t.Helper()
	where := client.MatchingFields{"involvedObject.uid": string(o.GetUID())}
	events, err := s.user.Watch(s.t.Context(), &corev1.EventList{}, client.InNamespace(o.GetNamespace()), where)
	require.NoError(s.t, err)
	defer drain(events)
	e, open := <-events.ResultChan()
	require.True(s.t, open, "the test ends before there is an event")
	found, ok := e.Object.(*corev1.Event)
	require.True(s.t, ok, "%v", e.Object)
	return found
}

// A child of two owners outlives one of them. The garbage collector takes that one's reference away, and nothing else.
//
// covers: B-87 S0-59
func TestOneOfTwoOwnersGoes(t *testing.T) {
	controllers(t)
	s := newSite(t)
	stays, goes := made(s, s.configMap("stays")), made(s, s.configMap("goes"))
	child := made(s, s.configMap("child", belongsTo(stays), belongsTo(goes)))
	require.NoError(t, s.user.Delete(t.Context(), goes))
	await(s, child, &corev1.ConfigMapList{}, func(now **corev1.ConfigMap) bool {
		require.NotNil(t, now, "the other owner is there")
		return len((*now).OwnerReferences) == 1
	})
	require.Equal(t, []metav1.OwnerReference{belongsTo(stays)}, onServer(s, child).OwnerReferences)
}

// owner says in an apply that a set is an owner.
func owner(set *v1alpha1.ProcessSet, controller bool) *metaapply.OwnerReferenceApplyConfiguration {
	return metaapply.OwnerReference().WithAPIVersion(v1alpha1.GroupVersion.String()).WithKind("ProcessSet").
		WithName(set.Name).WithUID(set.UID).WithController(controller)
}

// To an apply the owners are a map by UID, so that it adds its own beside those of others. To a merge patch they are a
// value: what it does not name is gone. A patch that merges lists by their keys is not for custom resources, though
// ConfigMaps have it.
//
// covers: S0-59
func TestHowAPatchSeesTheOwners(t *testing.T) {
	s := newSite(t)
	first, second := made(s, s.set("first")), made(s, s.set("second"))
	child := made(s, s.child("web-0", controlledBy(first)))
	said := func(controller bool) error {
		says := apply.Process(child.Name, s.Namespace).WithOwnerReferences(owner(second, controller))
		return s.user.Apply(t.Context(), says, client.FieldOwner("second"))
	}
	words := refused(t, http.StatusUnprocessableEntity, said(true))
	require.Contains(t, words, "Only one reference can have Controller")
	require.NoError(t, said(false))
	require.Equal(t, []types.UID{first.UID, second.UID}, ownerUIDs(onServer(s, child)))

	only := []metav1.OwnerReference{ownedBy(second)}
	require.NoError(t, s.patch(child, map[string]any{"ownerReferences": only}))
	require.Equal(t, []types.UID{second.UID}, ownerUIDs(onServer(s, child)), "the controller is gone, too")

	adds, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"ownerReferences": []metav1.OwnerReference{controlledBy(first)}}})
	require.NoError(t, err)
	strategic := client.RawPatch(types.StrategicMergePatchType, adds)
	words = refused(t, http.StatusUnsupportedMediaType, s.user.Patch(t.Context(), child, strategic))
	require.Contains(t, words, "the body of the request was in an unknown format")
	builtIn := made(s, s.configMap("built-in", ownedBy(second)))
	require.NoError(t, s.user.Patch(t.Context(), builtIn, strategic))
	require.ElementsMatch(t, []types.UID{first.UID, second.UID}, ownerUIDs(builtIn))
}

func ownerUIDs(o client.Object) (all []types.UID) {
	for _, r := range o.GetOwnerReferences() {
		all = append(all, r.UID)
	}
	return all
}

// A patch that takes a child over names the UID and the version of the child that was read: it is refused for another
// child of that name, and for a newer version. An apply that names no UID makes the child that is no more.
//
// covers: S2-11
func TestAPatchNamesTheChildThatItMeans(t *testing.T) {
	s := newSite(t)
	set := made(s, s.set("web"))
	child := made(s, s.child("web-0"))
	other := nobody()
	words := refused(t, http.StatusUnprocessableEntity, s.patch(s.child("web-0"),
		map[string]any{"uid": other, "ownerReferences": []metav1.OwnerReference{controlledBy(set)}}))
	require.Contains(t, words, `metadata.uid: Invalid value: "`+string(other)+`": field is immutable`)

	old := child.ResourceVersion
	require.NoError(t, s.patch(child, map[string]any{"annotations": map[string]string{"edited": "yes"}}))
	words = refused(t, http.StatusConflict, s.patch(s.child("web-0"), map[string]any{"uid": child.UID,
		"resourceVersion": old, "ownerReferences": []metav1.OwnerReference{controlledBy(set)}}))
	require.Contains(t, words, "the object has been modified; please apply your changes to the latest version")
	require.Empty(t, onServer(s, child).OwnerReferences)

	gone := apply.Process("gone", s.Namespace).WithSpec(apply.ProcessSpec().WithCommand("sleep")).
		WithOwnerReferences(owner(set, true))
	by := client.FieldOwner("web")
	words = refused(t, http.StatusConflict, s.user.Apply(t.Context(), gone.WithUID(child.UID), by))
	require.Contains(t, words, "uid mismatch: the provided object specified uid "+string(child.UID)+
		", and no existing object was found")
	gone.UID = nil
	require.NoError(t, s.user.Apply(t.Context(), gone, by))
	require.Equal(t, []types.UID{set.UID}, ownerUIDs(onServer(s, s.child("gone"))), "it was to be changed, and is made")
}

// SetControllerReference also says that the owner's deletion waits for the child, if it is to wait at all.
// SetOwnerReference does not.
//
// covers: S0-59
func TestWhichReferenceBlocksADeletion(t *testing.T) {
	set := &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	reference := func(of func(*v1alpha1.Process) error) metav1.OwnerReference {
		child := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-0"}}
		require.NoError(t, of(child))
		return child.OwnerReferences[0]
	}
	known := scenario.Known()
	controller := reference(func(p *v1alpha1.Process) error {
		return controllerutil.SetControllerReference(set, p, known)
	})
	require.Equal(t, controlledBy(set), controller)
	require.Equal(t, ptr.To(true), controller.BlockOwnerDeletion)
	one := reference(func(p *v1alpha1.Process) error { return controllerutil.SetOwnerReference(set, p, known) })
	require.Equal(t, ownedBy(set), one)
	require.Nil(t, one.BlockOwnerDeletion)
	require.Nil(t, one.Controller)
	lets := reference(func(p *v1alpha1.Process) error {
		return controllerutil.SetControllerReference(set, p, known, controllerutil.WithBlockOwnerDeletion(false))
	})
	require.Equal(t, ptr.To(false), lets.BlockOwnerDeletion)
}
