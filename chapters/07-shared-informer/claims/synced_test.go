package claims

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// That an informer has synced says that its store is filled. Its handlers may not have been told of one object: each
// registration says for itself when its handler has returned from the last of the first list.
//
// covers: B-56 B-42
func TestTheStoreHasSyncedBeforeTheHandler(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"), cm("b", "2"))
		release := make(chan struct{})
		stuck, free := i.add(t, i.stuck("", release)), i.add(t, i.handler(""))
		stop := run(i.RunWithContext)
		defer stop()
		require.True(t, i.HasSynced())
		require.True(t, free.HasSynced())
		require.False(t, stuck.HasSynced(), "as the informer has would have been the belief")
		release <- struct{}{}
		synctest.Wait()
		require.False(t, stuck.HasSynced(), "one of two")
		late := i.add(t, i.stuck("late: ", release))
		synctest.Wait()
		require.False(t, late.HasSynced(), "a first list of its own")
		close(release)
		synctest.Wait()
		require.True(t, stuck.HasSynced())
		require.True(t, late.HasSynced())
	})
}

// WaitForCacheSync asks every 100 ms. A checker has a channel, which WaitFor waits for: it returns in the same
// moment, and says what it still waits for.
//
// covers: C-06 B-56
func TestAskingAndWaiting(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		slow := make(chan struct{})
		registration := i.add(t, i.stuck("", slow))
		stop := run(i.RunWithContext)
		defer stop()
		require.Equal(t, "SharedIndexInformer *v1.ConfigMap", i.HasSyncedChecker().Name())
		require.Contains(t, registration.HasSyncedChecker().Name(),
			"SharedIndexInformer *v1.ConfigMap + event handler ", "and then the handler's package and function")
		require.True(t, cache.IsDone(i.HasSyncedChecker()))
		require.False(t, cache.IsDone(registration.HasSyncedChecker()))

		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.False(t, cache.WaitFor(soon, "", i.HasSyncedChecker(), registration.HasSyncedChecker()),
			"one is missing")

		start := time.Now()
		time.AfterFunc(150*time.Millisecond, func() { close(slow) })
		polled, waited := make(chan time.Duration), make(chan time.Duration)
		go func() {
			cache.WaitForCacheSync(t.Context().Done(), registration.HasSynced)
			polled <- time.Since(start)
		}()
		go func() {
			cache.WaitFor(t.Context(), "", registration.HasSyncedChecker())
			waited <- time.Since(start)
		}()
		require.Equal(t, 150*time.Millisecond, <-waited)
		require.Equal(t, 200*time.Millisecond, <-polled)
	})
}

// A factory waits for the informers that it has started, and names in an error those that have not synced. It waits for
// no handler.
//
// covers: C-06
func TestAFactorySaysWhatHasNotSynced(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		factory, release := informers.NewSharedInformerFactory(nil, 0), make(chan struct{})
		silent := &origin{stream: streamed()}
		<-silent.stream.ResultChan() // without its end, the list never ends
		configMaps := factory.InformerFor(&corev1.ConfigMap{}, made(serve(cm("a", "1"))))
		registration, err := configMaps.AddEventHandler((&diary{}).stuck("", release))
		require.NoError(t, err)
		factory.InformerFor(&corev1.Secret{}, made(silent))
		stop := run(factory.StartWithContext)
		defer factory.Shutdown()
		defer stop()
		defer close(release)
		soon, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("a minute is over"))
		defer cancel()
		result := factory.WaitForCacheSyncWithContext(soon)
		require.EqualError(t, result.AsError(), "failed to sync all caches: *v1.Secret: a minute is over")
		require.True(t, configMaps.HasSynced())
		require.False(t, registration.HasSynced())
	})
}

// made is what a factory makes an informer of a server by.
func made(o *origin) func(kubernetes.Interface, time.Duration) cache.SharedIndexInformer {
	return func(_ kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(o, &corev1.ConfigMap{}, resync, cache.Indexers{})
	}
}

// A controller looks at two collections: its own objects and those that it makes for them. Until the second cache is
// filled, what it has made before seems to be missing. So it waits for all caches before it begins.
//
// covers: S2-06
func TestBothCachesHaveToBeFilled(t *testing.T) {
	for waits, want := range map[bool][]string{false: {"make child"}, true: nil} {
		testkit.Bubble(t, func(t *testing.T) {
			parents, children := newInformed(0, cm("parent", "1")), newInformed(0, cm("child", "2"))
			defer run(parents.RunWithContext)()
			begun := make(chan struct{})
			go func() { // the reconciler
				defer close(begun)
				checkers := []cache.DoneChecker{parents.HasSyncedChecker()}
				if waits {
					checkers = append(checkers, children.HasSyncedChecker())
				}
				cache.WaitFor(t.Context(), "", checkers...)
				if has(t, children.GetStore(), "child") == "" {
					parents.note("make child")
				}
			}()
			synctest.Wait()
			defer run(children.RunWithContext)() // its list comes later
			<-begun
			require.Equal(t, want, parents.new())
		})
	}
}
