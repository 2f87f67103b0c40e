package mirror_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	fakesource "k8s.io/client-go/tools/cache/testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A panic where the workers are begun comes out of Run, also while a handler is busy. It ends the informers.
func TestAPanicDoesNotWaitForABusyHandler(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		busy, release := make(chan struct{}, 2), make(chan struct{}) // there are two informers
		var informers []cache.SharedIndexInformer
		var sources []*fakesource.FakeControllerSource
		parts := mirror.ClientGo()
		parts.Informer = func(_ cache.ListerWatcher, example runtime.Object,
			_ cache.Indexers) cache.SharedIndexInformer {
			source := fakesource.NewFakeControllerSource()
			sources = append(sources, source)
			source.Add(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "d", Name: "a"}})
			i := cache.NewSharedIndexInformer(source, example, 0, nil)
			informers = append(informers, i)
			return i
		}
		parts.Handler = func(mirror.Relations, func(mirror.Key)) cache.ResourceEventHandler {
			return cache.ResourceEventHandlerFuncs{AddFunc: func(any) { busy <- struct{}{}; <-release }}
		}
		parts.Work = func(_ context.Context, w mirror.Work) error {
			defer w.Queue.ShutDown()
			<-busy
			panic("a fault")
		}
		c, err := mirror.New(kubernetes.NewForConfigOrDie(&rest.Config{}), mirror.Options{Group: "g", Parts: parts})
		require.NoError(t, err)
		panicked := make(chan any, 1)
		go func() {
			defer func() { panicked <- recover() }()
			_ = c.Run(t.Context())
		}()
		synctest.Wait()
		require.Len(t, panicked, 1, "it waits for the handler")
		require.Equal(t, "a fault", <-panicked)
		close(release)
		synctest.Wait()
		for i := range informers {
			require.True(t, informers[i].IsStopped())
			sources[i].Shutdown()
		}
	})
}
