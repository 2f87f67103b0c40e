package informer_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// slowToClose is a queue that takes a second to close.
type slowToClose struct{ cache.Queue }

func (q slowToClose) Close() {
	q.Queue.Close()
	time.Sleep(time.Second)
}

// When Run returns nothing of it is left: not the goroutine that closes the queue either.
func TestRunWaitsUntilTheQueueIsClosed(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		controller := informer.NewController(&cache.Config{
			Queue: slowToClose{cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
				KeyFunction: cache.MetaNamespaceKeyFunc, AtomicEvents: true})},
			ListerWatcher: fill(1).listerWatcher(), ObjectType: &corev1.ConfigMap{},
			Process: func(any, bool) error { return nil },
		})
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { controller.RunWithContext(ctx) })
		synctest.Wait()
		stopped := time.Now()
		cancel()
		running.Wait()
		require.Equal(t, time.Second, time.Since(stopped))
	})
}
