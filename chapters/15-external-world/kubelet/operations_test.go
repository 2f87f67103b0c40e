package kubelet_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
)

func adds(letter string) kubelet.Operation { return func(s *kubelet.State) { s.Failure += letter } }

func TestOperationsWaitForARunAndAreAppliedInOrderOnce(t *testing.T) {
	o := kubelet.NewOperations()
	for _, letter := range []string{"a", "b", "c"} {
		o.Queue(web, first, adds(letter))
	}
	o.Queue(db, first, adds("of db"))
	require.Equal(t, 3, o.Waiting(web))
	s := kubelet.State{Run: first}
	require.Equal(t, 3, o.Apply(web, &s))
	require.Equal(t, "abc", s.Failure)
	require.Zero(t, o.Apply(web, &s))
	require.Equal(t, "abc", s.Failure)
	require.Equal(t, 1, o.Waiting(db))
}

func TestAnOperationOfAnotherRunIsDropped(t *testing.T) {
	o := kubelet.NewOperations()
	o.Queue(web, first, adds("late"))
	o.Queue(web, again, adds("b"))
	s := kubelet.State{Run: again}
	require.Equal(t, 1, o.Apply(web, &s))
	require.Equal(t, "b", s.Failure)
	s.Run = first
	require.Zero(t, o.Apply(web, &s), "a dropped one does not come back")
}

// An operation that begins another run ends what the others are about.
func TestAnOperationMayChangeTheRun(t *testing.T) {
	o := kubelet.NewOperations()
	o.Queue(web, first, func(s *kubelet.State) { s.Run = again })
	o.Queue(web, first, adds("late"))
	s := kubelet.State{Run: first}
	require.Equal(t, 1, o.Apply(web, &s))
	require.Empty(t, s.Failure)
}

// An operation may be queued while others are applied, also by one of them.
func TestOperationsAreQueuedByMany(t *testing.T) {
	o := kubelet.NewOperations()
	o.Queue(web, first, func(*kubelet.State) { o.Queue(web, first, adds("x")) })
	var works sync.WaitGroup
	for range 8 {
		works.Go(func() {
			for range 100 {
				o.Queue(web, first, adds("x"))
			}
		})
	}
	s := kubelet.State{Run: first}
	for range 100 {
		o.Apply(web, &s)
	}
	works.Wait()
	for o.Apply(web, &s) > 0 {
	}
	require.Len(t, s.Failure, 801)
}
