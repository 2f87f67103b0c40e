package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// A child whose owner has a kind that nobody serves is not deleted: the garbage collector can't ask whether the owner
// is there, and tries again without an end. A child that was made after it, and whose owner is known not to be, is
// deleted meanwhile. Chapter 14 shows an owner in another namespace.
//
// covers: S0-60
func TestAnOwnerOfAKindThatNobodyServes(t *testing.T) {
	controllers(t)
	s := newSite(t)
	child := s.configMap("child")
	child.OwnerReferences = []metav1.OwnerReference{
		{APIVersion: "nobody.example.com/v1", Kind: "Nobody", Name: "absent", UID: nobody()}}
	made(s, child)
	y := s.followFrom(&corev1.ConfigMapList{}, child.ResourceVersion)
	s.collectorSees()
	s.collectorSees()
	require.Nil(t, onServer(s, child).DeletionTimestamp)
	require.NoError(t, s.patch(child, map[string]any{"ownerReferences": nil}))
	y.until(func(e event) bool { return e.name == child.Name && e.owners == 0 })
	require.False(t, y.told(watch.Deleted, child.Name))
}
