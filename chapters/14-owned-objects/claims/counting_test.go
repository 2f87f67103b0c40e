package claims

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// maker is a controller that only makes what is missing of three, by what its cache shows.
type maker struct {
	*late
	s       *site
	named   bool                // gives names that can be computed
	ready   func(m *maker) bool // is asked before anything is made, if there is one
	made    []client.ObjectKey  // are what it has made
	written string              // is the version of the last of them
	refused int
}

// alive is how many children there are by a reader.
func (m *maker) alive(from client.Reader) int {
	m.t.Helper()
	var all v1alpha1.ProcessList
	require.NoError(m.t, from.List(m.t.Context(), &all, client.InNamespace(m.s.Namespace)))
	return len(all.Items)
}

// run is what it does when its queue has the set's key.
func (m *maker) run() {
	m.t.Helper()
	if m.ready != nil && !m.ready(m) {
		return
	}
	for i := m.alive(m); i < 3; i++ {
		child := m.s.child(fmt.Sprint("web-", i))
		if !m.named {
			child.Name, child.GenerateName = "", "web-"
		}
		switch err := m.s.user.Create(m.t.Context(), child); {
		case apierrors.IsAlreadyExists(err):
			m.refused++
		default:
			require.NoError(m.t, err)
			m.made, m.written = append(m.made, client.ObjectKeyFromObject(child)), child.ResourceVersion
		}
	}
}

// hasSeen says whether the cache shows all that it has made. A real controller forgets a child that it has seen once:
// in these tests none goes.
func (m *maker) hasSeen() bool {
	for _, key := range m.made {
		if m.Get(m.t.Context(), key, &v1alpha1.Process{}) != nil {
			return false
		}
	}
	return true
}

// caughtUp says whether the store is as far as the last write.
func (m *maker) caughtUp() bool {
	if m.written == "" {
		return true
	}
	at := m.stores[fmt.Sprintf("%T", &v1alpha1.Process{})].LastStoreSyncResourceVersion()
	order, err := resourceversion.CompareResourceVersion(at, m.written)
	require.NoError(m.t, err)
	return order >= 0
}

// Three children are wanted, and two runs come before the cache shows any. A controller that counts in the cache makes
// three too many. One that remembers what it has made and not seen makes none in the second run, and neither does one
// that waits until its store is as far as its last write. One whose names can be computed tries, and is refused.
//
// covers: S0-36 S0-43 C-03
func TestWhatKeepsALateCacheFromMakingTwice(t *testing.T) {
	for name, c := range map[string]struct {
		named          bool
		ready          func(*maker) bool
		alive, refused int
	}{
		"counts":                {false, nil, 6, 0},
		"names":                 {true, nil, 3, 3},
		"expects":               {false, (*maker).hasSeen, 3, 0},
		"waits for the version": {false, (*maker).caughtUp, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			m := &maker{late: s.late("processes", &v1alpha1.Process{}), s: s, named: c.named, ready: c.ready}
			m.fallBehind()
			m.run()
			m.run()
			require.Zero(t, m.alive(m))
			require.Equal(t, c.alive, m.alive(s.user))
			require.Equal(t, c.refused, m.refused)

			m.catchUp()
			m.sees(&v1alpha1.Process{}, func() bool { return m.alive(m) == c.alive && m.caughtUp() })
			m.run()
			require.Equal(t, c.alive, m.alive(s.user), "nothing is missing")
		})
	}
}

// Not each write has a version to wait for. A deletion's answer is about no version, and the update that takes the last
// finalizer away is answered with the version from before: the event that tells of the end has a newer one.
//
// covers: C-03
func TestALastWriteHasNoVersionToWaitFor(t *testing.T) {
	s := newSite(t)
	child := s.child("web-0")
	child.Finalizers = []string{"scratch.example.com/stop"}
	made(s, child)
	changes, err := s.user.Watch(t.Context(), &v1alpha1.ProcessList{}, client.InNamespace(s.Namespace))
	require.NoError(t, err)
	defer drain(changes)
	require.NoError(t, s.user.Delete(t.Context(), child))
	going := onServer(s, child)
	require.NotNil(t, going.DeletionTimestamp)
	require.NotEqual(t, child.ResourceVersion, going.ResourceVersion, "the deletion was a write")

	before := going.ResourceVersion
	going.Finalizers = nil
	require.NoError(t, s.user.Update(t.Context(), going))
	require.Equal(t, before, going.ResourceVersion)
	for e := range changes.ResultChan() {
		if e.Type == watch.Deleted {
			end := e.Object.(*v1alpha1.Process).ResourceVersion
			order, err := resourceversion.CompareResourceVersion(end, going.ResourceVersion)
			require.NoError(t, err)
			require.Equal(t, 1, order)
			return
		}
	}
	require.FailNow(t, "the test ends before the child's end is told")
}
