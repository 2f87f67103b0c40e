package claims

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/cache/synctrack"
	watchtools "k8s.io/client-go/tools/watch"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A RetryWatcher goes on after the end of a watch from the last version that it has seen. It keeps no state, begins at
// no state, and a 410 is its end.
//
// covers: C-18
func TestARetryWatcherGoesOn(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		streams := []*watch.FakeWatcher{watch.NewFakeWithChanSize(2, false), watch.NewFakeWithChanSize(2, false)}
		var from []string
		open := func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
			from = append(from, o.ResourceVersion)
			return streams[len(from)-1], nil
		}
		source := &cache.ListWatch{WatchFuncWithContext: open}
		_, err := watchtools.NewRetryWatcherWithContext(t.Context(), "0", source)
		require.ErrorContains(t, err, `initial RV "0" is not supported`)
		w, err := watchtools.NewRetryWatcherWithContext(t.Context(), "5", source)
		require.NoError(t, err)
		streams[0].Add(cm("a", "11"))
		require.Equal(t, "a@11", at((<-w.ResultChan()).Object))
		streams[0].Stop()
		streams[1].Modify(cm("a", "12"))
		require.Equal(t, "a@12", at((<-w.ResultChan()).Object))
		streams[1].Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
		require.Equal(t, watch.Error, (<-w.ResultChan()).Type)
		<-w.Done()
		require.Equal(t, []string{"5", "11"}, from, "a list would have been the third")
	})
}

// UntilWithSync is an informer for one question: it first asks its store, then waits for an event, and survives a 410,
// since it lists again.
//
// covers: C-18
func TestUntilWithSyncSurvivesA410(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		o := serve(cm("a", "1"))
		found := make(chan string, 1)
		go func() {
			event, err := watchtools.UntilWithSync(t.Context(), o, &corev1.ConfigMap{},
				func(store cache.Store) (bool, error) { return has(t, store, "b") != "", nil },
				func(event watch.Event) (bool, error) {
					// Until the goroutine behind the watch waits. Its stop signals without the lock: one that was about
					// to wait would wait for ever.
					time.Sleep(time.Second)
					return event.Object.(*corev1.ConfigMap).Name == "b", nil
				})
			require.NoError(t, err)
			found <- at(event.Object)
		}()
		time.Sleep(time.Second)
		o.relist(cm("a", "1"), cm("b", "21"))
		require.Equal(t, "b@21", <-found)
	})
}

// What is computed from a store can be computed when somebody asks, and again only if a handler has said meanwhile that
// something changed.
//
// covers: C-18
func TestALazyValueIsComputedOnceAChange(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		computed := 0
		objects := synctrack.Lazy[int]{Evaluate: func() (int, error) {
			computed++
			if computed == 2 {
				return 0, errors.New("is not kept")
			}
			return len(i.GetStore().List()), nil
		}}
		i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { objects.Notify() }})
		stop := run(i.RunWithContext)
		defer stop()
		for range 2 {
			n, err := objects.Get()
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		require.Equal(t, 1, computed)
		i.live().Add(cm("b", "11"))
		i.live().Add(cm("c", "12"))
		synctest.Wait()
		require.Equal(t, 1, computed, "nobody has asked")
		_, err := objects.Get()
		require.Error(t, err)
		n, err := objects.Get()
		require.NoError(t, err)
		require.Equal(t, 3, n)
	})
}
