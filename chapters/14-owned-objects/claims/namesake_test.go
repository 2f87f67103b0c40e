package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
)

// inMemory is a set that no server has.
func inMemory(name string, uid types.UID) *v1alpha1.ProcessSet {
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: uid}}
}

// childOf is its child.
func childOf(set *v1alpha1.ProcessSet) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Name + "-0",
		OwnerReferences: []metav1.OwnerReference{controlledBy(set)}}}
}

// SetControllerReference compares group, kind and name with the controller that a child has, and no UID. An owner that
// was made anew takes over what its predecessor of the same name had. Under any other name it is refused.
//
// covers: S2-11
func TestANamesakeTakesTheChildOver(t *testing.T) {
	before, after, other := inMemory("web", "1"), inMemory("web", "2"), inMemory("other", "3")
	child, known := childOf(before), scenario.Known()
	require.False(t, metav1.IsControlledBy(child, after), "which does compare the UID")
	var owned *controllerutil.AlreadyOwnedError
	require.ErrorAs(t, controllerutil.SetControllerReference(other, child, known), &owned)
	require.Equal(t, before.UID, owned.Owner.UID)

	found, err := controllerutil.HasOwnerReference(child.OwnerReferences, after, known)
	require.NoError(t, err)
	require.True(t, found)
	require.NoError(t, controllerutil.SetControllerReference(after, child, known))
	require.Equal(t, []metav1.OwnerReference{controlledBy(after)}, child.OwnerReferences)
	require.NoError(t, controllerutil.RemoveControllerReference(before, child, known), "it takes away the other's")
	require.Empty(t, child.OwnerReferences)
}

// An owner that can be none is refused before anything is sent: one that is not the controller where another is, one in
// another namespace, and one in a namespace for a child in none.
//
// covers: S2-11
func TestOwnersThatAreRefusedBeforeAnythingIsSent(t *testing.T) {
	child, elsewhere, global := childOf(inMemory("web", "1")), inMemory("web", "2"), childOf(inMemory("web", "1"))
	elsewhere.Namespace, global.Namespace, global.OwnerReferences = "far", "", nil
	for words, try := range map[string]struct {
		owner *v1alpha1.ProcessSet
		child *v1alpha1.Process
	}{
		"Object default/web-0 is already owned by another ProcessSet controller web": {inMemory("other", "3"), child},
		"cross-namespace owner references are disallowed, owner's namespace far, obj's namespace default": {elsewhere,
			child},
		"cluster-scoped resource must not have a namespace-scoped owner, owner's namespace default": {
			inMemory("web", "1"), global},
	} {
		before := try.child.DeepCopy()
		err := controllerutil.SetControllerReference(try.owner, try.child, scenario.Known())
		require.EqualError(t, err, words)
		require.Equal(t, before, try.child)
	}
}

// What a builder's Owns makes of a child's event is the name in the reference. A child of an owner that is gone brings
// the key of the owner that has its name now.
//
// covers: S2-11
func TestANamesakeHearsOfTheChild(t *testing.T) {
	before, after := inMemory("web", "1"), inMemory("web", "2")
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(v1alpha1.GroupVersion.WithKind("ProcessSet"), meta.RESTScopeNamespace)
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer queue.ShutDown()
	owns := handler.EnqueueRequestForOwner(scenario.Known(), mapper, &v1alpha1.ProcessSet{},
		handler.OnlyControllerOwner())
	owns.Create(t.Context(), event.CreateEvent{Object: childOf(before)}, queue)
	require.Equal(t, 1, queue.Len())
	key, _ := queue.Get()
	queue.Done(key)
	require.Equal(t, client.ObjectKeyFromObject(after), key.NamespacedName)
}
