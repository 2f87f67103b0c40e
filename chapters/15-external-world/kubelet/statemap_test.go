package kubelet_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

var (
	web = types.NamespacedName{Namespace: "default", Name: "web"}
	db  = types.NamespacedName{Namespace: "default", Name: "db"}

	none  = machine.Run{}
	first = machine.Run{UID: "uid of web", Attempt: 1}
	again = machine.Run{UID: "uid of web", Attempt: 2}
)

func TestAStateIsCopiedInAndOut(t *testing.T) {
	m := kubelet.NewStateMap()
	s := kubelet.State{Run: first, Next: &machine.Spec{Run: first, Args: []string{"1"}, Env: []string{"A=1"}}}
	s.Seen.Spec.Args = []string{"1"}
	s.Seen.Exit = &machine.Exit{Code: ptr.To(int32(1))}
	spoil := func(s kubelet.State) {
		s.Next.Args[0], s.Next.Env[0], s.Seen.Spec.Args[0], *s.Seen.Exit.Code = "2", "A=2", "2", 2
		s.Next.Restarts, s.Seen.Exit.Error = 2, "2"
	}
	require.NoError(t, m.Update(web, none, s))
	spoil(s)
	for range 2 {
		s, ok := m.Borrow(web)
		require.True(t, ok)
		require.Equal(t, machine.Spec{Run: first, Args: []string{"1"}, Env: []string{"A=1"}}, *s.Next)
		require.Equal(t, []string{"1"}, s.Seen.Spec.Args)
		require.Equal(t, machine.Exit{Code: ptr.To(int32(1))}, *s.Seen.Exit)
		spoil(s)
	}
}

func TestAStateHasTwoKeys(t *testing.T) {
	m := kubelet.NewStateMap()
	_, ok := m.Borrow(web)
	require.False(t, ok)
	require.NoError(t, m.Update(web, none, kubelet.State{Run: first}))
	owner, ok := m.Owner(first)
	require.True(t, ok)
	require.Equal(t, web, owner)

	require.NoError(t, m.Update(web, first, kubelet.State{Run: again}))
	_, ok = m.Owner(first)
	require.False(t, ok, "an object has one run")
	owner, _ = m.Owner(again)
	require.Equal(t, web, owner)

	require.ErrorIs(t, m.Update(db, none, kubelet.State{Run: again}), kubelet.ErrTaken)
	_, ok = m.Borrow(db)
	require.False(t, ok)

	require.ErrorIs(t, m.Delete(web, first), kubelet.ErrChanged)
	require.NoError(t, m.Delete(web, again))
	_, ok = m.Owner(again)
	require.False(t, ok)
	require.Zero(t, m.Len())
	require.NoError(t, m.Update(db, none, kubelet.State{Run: again}))
}

// Somebody who has borrowed a state may find another run when it comes back.
func TestAnUpdateThatIsLateIsRefused(t *testing.T) {
	m := kubelet.NewStateMap()
	require.NoError(t, m.Update(web, none, kubelet.State{Run: first}))
	require.ErrorIs(t, m.Update(web, none, kubelet.State{Run: first}), kubelet.ErrChanged)
	s, _ := m.Borrow(web)
	require.NoError(t, m.Update(web, first, kubelet.State{Run: again}))
	s.Failure = "late"
	require.ErrorIs(t, m.Update(web, first, s), kubelet.ErrChanged)
	s, _ = m.Borrow(web)
	require.Empty(t, s.Failure)
	require.Equal(t, again, s.Run)
}

func TestAStateMapIsForManyGoroutines(t *testing.T) {
	m := kubelet.NewStateMap()
	var works sync.WaitGroup
	for g := range 8 {
		works.Go(func() {
			key := types.NamespacedName{Namespace: "default", Name: fmt.Sprint("web-", g)}
			run, before := machine.Run{UID: types.UID(fmt.Sprint(g))}, none
			for run.Attempt = 1; run.Attempt <= 500; run.Attempt++ {
				if err := m.Update(key, before, kubelet.State{Run: run, Next: &machine.Spec{Run: run}}); err != nil {
					t.Error(err)
				}
				s, _ := m.Borrow(key)
				s.Next.Restarts++
				before = s.Run
				m.Borrow(types.NamespacedName{Namespace: "default", Name: fmt.Sprint("web-", (g+1)%8)})
				if owner, ok := m.Owner(run); !ok || owner != key || before != run {
					t.Errorf("%v is of %v, and %v was kept", run, owner, before)
				}
			}
		})
	}
	works.Wait()
	require.Equal(t, 8, m.Len())
}
