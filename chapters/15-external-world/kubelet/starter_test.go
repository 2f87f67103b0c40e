package kubelet_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func attempt(n int) machine.Run { return machine.Run{UID: "uid of web", Attempt: n} }

// slow is a starter of so many at once, each of which takes a second, and what has begun and how many were at once.
func slow(most int) (*kubelet.Starter, func() (begun []int, peak int)) {
	var lock sync.Mutex
	var all []int
	now, peak := 0, 0
	s := kubelet.NewStarter(most, func(spec machine.Spec) {
		lock.Lock()
		all = append(all, spec.Attempt)
		now++
		peak = max(peak, now)
		lock.Unlock()
		time.Sleep(time.Second)
		lock.Lock()
		now--
		lock.Unlock()
	})
	return s, func() ([]int, int) {
		synctest.Wait()
		lock.Lock()
		defer lock.Unlock()
		return append([]int(nil), all...), peak
	}
}

func TestSoManyAreStartedAtOnceInOrder(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s, seen := slow(1)
		for n := range 4 {
			s.Add(machine.Spec{Run: attempt(n)})
			s.Add(machine.Spec{Run: attempt(n)}) // which is nothing new
		}
		begun, _ := seen()
		require.Equal(t, []int{0}, begun)
		require.Equal(t, []int{-1, 0, 1, 2},
			[]int{s.Before(attempt(0)), s.Before(attempt(1)), s.Before(attempt(2)), s.Before(attempt(3))})
		time.Sleep(4 * time.Second)
		begun, peak := seen()
		require.Equal(t, []int{0, 1, 2, 3}, begun)
		require.Equal(t, 1, peak)
	})
	testkit.Bubble(t, func(t *testing.T) {
		s, seen := slow(3)
		for n := range 100 {
			s.Add(machine.Spec{Run: attempt(n)})
		}
		time.Sleep(34*time.Second - time.Millisecond)
		begun, peak := seen()
		require.Len(t, begun, 100)
		require.Equal(t, 3, peak)
		s.Stop()
	})
}

func TestAStartThatWaitsCanBeTakenBack(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s, seen := slow(1)
		for n := range 3 {
			s.Add(machine.Spec{Run: attempt(n)})
		}
		seen()
		require.False(t, s.Remove(attempt(0)), "it is going on")
		require.True(t, s.Remove(attempt(1)))
		require.False(t, s.Remove(attempt(1)))
		require.Equal(t, 0, s.Before(attempt(2)))
		time.Sleep(3 * time.Second)
		begun, _ := seen()
		require.Equal(t, []int{0, 2}, begun)
	})
}

func TestAStopWaitsForTheStartsThatGoOn(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s, seen := slow(2)
		for n := range 4 {
			s.Add(machine.Spec{Run: attempt(n)})
		}
		seen()
		began := time.Now()
		s.Stop()
		require.Equal(t, time.Second, time.Since(began))
		s.Add(machine.Spec{Run: attempt(5)})
		begun, _ := seen()
		require.ElementsMatch(t, []int{0, 1}, begun)
	})
}
