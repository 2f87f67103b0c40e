package kubelet_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestABurstIsTold10TimesASecond(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		var lock sync.Mutex
		told := map[types.NamespacedName][]time.Duration{}
		began := time.Now()
		d := kubelet.NewDebounce(clock.RealClock{}, 100*time.Millisecond, func(key types.NamespacedName) {
			lock.Lock()
			defer lock.Unlock()
			told[key] = append(told[key], time.Since(began))
		})
		d.Event(t.Context(), db)
		for range 1000 {
			d.Event(t.Context(), web)
			time.Sleep(time.Millisecond)
		}
		d.Stop()
		d.Event(t.Context(), web)
		synctest.Wait()
		require.Len(t, told[web], 10)
		require.Equal(t, 100*time.Millisecond, told[web][0], "the first event waits no longer than the window")
		require.Equal(t, []time.Duration{100 * time.Millisecond}, told[db], "another key has a window of its own")
	})
}

func TestAWindowEndsWithItsContext(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		told := 0
		d := kubelet.NewDebounce(clock.RealClock{}, time.Hour, func(types.NamespacedName) { told++ })
		ctx, cancel := context.WithCancel(t.Context())
		d.Event(ctx, web)
		cancel()
		d.Stop()
		require.Equal(t, 1, told)
	})
}

// A thousand world events in a second are some ten runs, and as many saved statuses.
func TestAThousandWorldEventsAreTenStatuses(t *testing.T) {
	var lock sync.Mutex
	heard := map[string]int{}
	count := func(kind string) int {
		lock.Lock()
		defer lock.Unlock()
		return heard[kind]
	}
	observe := func(e kubelet.Event) {
		lock.Lock()
		defer lock.Unlock()
		heard[e.Kind]++
	}
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, time.Millisecond)
		defer s.Close()
		c := s.Begin(kubelet.Options{Observe: observe}, kubelettest.NewGate(0, false))
		defer c.Stop()
		s.Create(kubelettest.Process("web"))
		pass(soon)
		saves, runs := s.Saves(), count(kubelet.EventRun)
		run := s.Machine.Alive()[0]
		for i := range 1000 {
			c.Kubelet.Tell(run, "its pid is another", func(s *kubelet.State) { s.Seen.Identity.PID = i })
			time.Sleep(time.Millisecond)
		}
		pass(soon)
		require.EqualValues(t, 999, *s.Get("web").Status.PID)
		require.GreaterOrEqual(t, count(kubelet.EventWorld), 1000)
		require.Equal(t, 10, count(kubelet.EventRun)-runs)
		require.Equal(t, 10, s.Saves()-saves)
	})
}
