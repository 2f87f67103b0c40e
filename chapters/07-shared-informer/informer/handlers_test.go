package informer_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// source is a server with one watch, whose events are the test's.
func source(w *watch.FakeWatcher, names ...string) cache.ListerWatcher {
	return &cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			return nil, fmt.Errorf("nobody lists")
		},
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			for _, name := range names {
				w.Add(configMap(name, "1"))
			}
			end := configMap("", "1")
			end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
			w.Action(watch.Bookmark, end)
			return w, nil
		},
	}
}

func configMap(name, version string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "d", Name: name, ResourceVersion: version}}
}

// Waiting counts what a handler has not been given: not what it is busy with, and nothing once it has been removed.
func TestWaiting(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := watch.NewFakeWithChanSize(20, false)
		i := informer.New(source(w, "a", "b", "c"), &corev1.ConfigMap{}, informer.Options{})
		release := make(chan struct{})
		handle, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-release }})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { i.RunWithContext(ctx) })
		synctest.Wait()
		registration := handle.(*informer.Registration)
		require.Equal(t, 2, registration.Waiting())
		require.True(t, i.HasSynced())
		require.False(t, registration.HasSynced())
		close(release)
		synctest.Wait()
		require.Zero(t, registration.Waiting())
		require.True(t, registration.HasSynced())
		cancel()
		done.Wait()
	})
}

// What waited for a handler that was removed, or whose informer has stopped, waits no more, and is not called.
func TestNothingWaitsForARemovedHandler(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := watch.NewFakeWithChanSize(20, false)
		i := informer.New(source(w, "a", "b", "c"), &corev1.ConfigMap{}, informer.Options{})
		release, calls := make(chan struct{}), 0
		slow := cache.ResourceEventHandlerFuncs{AddFunc: func(any) { calls++; <-release }}
		handle, err := i.AddEventHandler(slow)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { i.RunWithContext(ctx) })
		synctest.Wait()
		require.NoError(t, i.RemoveEventHandler(handle))
		close(release)
		require.NoError(t, cache.ShutDownEventHandler(i, handle))
		require.Equal(t, 1, calls)
		require.Zero(t, handle.(*informer.Registration).Waiting())
		require.False(t, handle.HasSynced())
		cancel()
		done.Wait()
	})
}

// A change that could not be taken in is logged, and the next one is taken in.
func TestAnErrorOfProcessDoesNotEndTheLoop(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := watch.NewFakeWithChanSize(20, false)
		i := informer.New(source(w), &corev1.ConfigMap{}, informer.Options{Indexers: cache.Indexers{
			"picky": func(obj any) ([]string, error) {
				if obj.(*corev1.ConfigMap).Name == "bad" {
					return nil, fmt.Errorf("bad has no index")
				}
				return nil, nil
			}}})
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { i.RunWithContext(ctx) })
		synctest.Wait()
		w.Add(configMap("bad", "2"))
		w.Add(configMap("good", "3"))
		synctest.Wait()
		require.Equal(t, []string{"d/good"}, i.GetStore().ListKeys())
		cancel()
		done.Wait()
	})
}

// Two objects without a version are a change, unless they are one object.
func TestObjectsWithoutAVersionAreNoResync(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := watch.NewFakeWithChanSize(20, false)
		i := informer.New(source(w, "a"), &corev1.ConfigMap{}, informer.Options{ResyncPeriod: time.Second})
		require.NoError(t, i.SetTransform(strip))
		updates := 0
		_, err := i.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(any, any) { updates++ }}, 0)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { i.RunWithContext(ctx) })
		time.Sleep(5500 * time.Millisecond)
		w.Modify(configMap("a", "2"))
		synctest.Wait()
		require.Equal(t, 1, updates, "an update, and no resync")
		cancel()
		done.Wait()
	})
}
