package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// orphans are the children in a namespace that a set selects, as a reader has them, and that have no controller.
func orphans(t *testing.T, from client.Reader, set *v1alpha1.ProcessSet) (all []*v1alpha1.Process) {
	t.Helper()
	var children v1alpha1.ProcessList
	require.NoError(t, from.List(t.Context(), &children, client.InNamespace(set.Namespace),
		client.MatchingLabels(set.Spec.Selector)))
	for i := range children.Items {
		if metav1.GetControllerOf(&children.Items[i]) == nil {
			all = append(all, &children.Items[i])
		}
	}
	return all
}

// adopter is a controller that does nothing but claim.
type adopter struct {
	*late
	looks bool // asks the API server for the set before it adopts
}

// run is what it does when its queue has the set's key. It returns how many are the set's then.
func (a adopter) run(s *site) (mine int, err error) {
	s.t.Helper()
	set := s.set("web")
	require.NoError(s.t, a.Get(s.t.Context(), client.ObjectKeyFromObject(set), set))
	var all v1alpha1.ProcessList
	require.NoError(s.t, a.List(s.t.Context(), &all, client.InNamespace(s.Namespace)))
	var live owned.Reader
	if a.looks {
		live = a.live
	}
	claimed, err := owned.Claim(s.t.Context(), set, all.Items, live, a)
	return len(claimed), err
}

// adopts requires that it has adopted so many.
func (a adopter) adopts(s *site, many int) {
	s.t.Helper()
	mine, err := a.run(s)
	require.NoError(s.t, err)
	require.Equal(s.t, many, mine)
}

// A set is deleted, and its children are to stay: the garbage collector takes the references away. A controller that
// has not heard of the deletion sees orphans that its set selects, and adopts them. Now they belong to a set that is
// gone, and the garbage collector deletes them. The same happens when the set was made anew under its name, which has
// another UID. A controller that asks the API server for the set before it adopts leaves them, and adopts them for the
// new set when it has heard of that.
//
// covers: S2-11
func TestAdoptionByALateCacheKillsTheChildren(t *testing.T) {
	controllers(t)
	for name, c := range map[string]struct{ looks, anew bool }{
		"late": {false, false}, "late, set made anew": {false, true},
		"looks": {true, false}, "looks, set made anew": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.awaitCollector()
			a := adopter{s.late("processsets", &v1alpha1.ProcessSet{}, &v1alpha1.Process{}), c.looks}
			set := made(s, s.set("web"))
			a.sees(set, func() bool { return a.Get(t.Context(), client.ObjectKeyFromObject(set), s.set("web")) == nil })
			children := []*v1alpha1.Process{
				made(s, s.child("web-0", controlledBy(set))), made(s, s.child("web-1", controlledBy(set)))}
			require.NoError(t, s.world().CollectorSees(t.Context())) // or it does not set them free
			a.fallBehind()
			orphan := client.PropagationPolicy(metav1.DeletePropagationOrphan)
			require.NoError(t, s.user.Delete(t.Context(), set, orphan))
			awaitGone(s, set, &v1alpha1.ProcessSetList{})
			a.sees(children[0], func() bool { return len(orphans(t, a, set)) == 2 })
			again := s.set("web")
			if c.anew {
				made(s, again)
			}

			if !c.looks {
				a.adopts(s, 2)
				for _, child := range children {
					awaitGone(s, child, &v1alpha1.ProcessList{})
				}
				return
			}
			mine, err := a.run(s)
			require.Zero(t, mine)
			if c.anew {
				require.ErrorContains(t, err, "the set of the cache is gone")
			} else {
				require.ErrorContains(t, err, "read the set, past the cache")
			}
			s.fence()
			for _, child := range children {
				require.Equal(t, child.UID, onServer(s, child).UID)
			}
			a.catchUp()
			if !c.anew {
				a.sees(set, func() bool {
					return apierrors.IsNotFound(a.Get(t.Context(), client.ObjectKeyFromObject(set), s.set("web")))
				})
				return
			}
			a.sees(set, func() bool {
				now := s.set("web")
				return a.Get(t.Context(), client.ObjectKeyFromObject(set), now) == nil && now.UID == again.UID
			})
			a.adopts(s, 2)
			s.fence()
			for _, child := range children {
				require.Equal(t, []types.UID{again.UID}, ownerUIDs(onServer(s, child)))
			}
		})
	}
}

// fence returns when the garbage collector has deleted something that was made after all that it is to leave alone.
func (s *site) fence() {
	s.t.Helper()
	owner := s.configMap("absent")
	owner.UID = nobody()
	awaitGone(s, made(s, s.configMap("fence", belongsTo(owner))), &corev1.ConfigMapList{})
}

// A set that is being deleted adopts nothing: what it adopts is deleted with it, or, when its children are to stay, was
// set free a moment before. The garbage collector itself does not care: it takes what has the reference.
//
// covers: S2-11
func TestASetThatIsBeingDeletedIsNoOwner(t *testing.T) {
	controllers(t)
	s := newSite(t)
	s.awaitCollector()
	set := s.set("web")
	set.Finalizers = []string{"scratch.example.com/hold"} // so that it is being deleted for as long as the test likes
	made(s, set)
	require.NoError(t, s.user.Delete(t.Context(), set))
	stranger := made(s, s.child("stranger"))
	now := onServer(s, set)
	require.NotNil(t, now.DeletionTimestamp)
	a := adopter{s.late("none", &v1alpha1.ProcessSet{}, &v1alpha1.Process{}), false}
	a.adopts(s, 0)

	require.NoError(t, s.patch(stranger, map[string]any{"ownerReferences": []metav1.OwnerReference{controlledBy(now)}}),
		"the server lets it")
	require.NoError(t, s.patch(set, map[string]any{"finalizers": nil}))
	awaitGone(s, stranger, &v1alpha1.ProcessList{})
}
