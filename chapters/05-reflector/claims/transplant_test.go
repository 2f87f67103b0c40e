package claims

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// idle is the ListerWatcher for upstream's reflector: each call waits for the end of its context.
func idle() cache.ListerWatcher {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
		WatchFuncWithContext: func(ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
	}
}

// popped applies what client-go's controller pops to a store, as an informer does. It is the test's, because upstream's
// is not exported.
type popped struct {
	cache.Indexer
	changed chan struct{} // of one element: something was popped since it was last taken
}

func (p *popped) process(delta any, _ bool) error {
	defer func() {
		select {
		case p.changed <- struct{}{}:
		default:
		}
	}()
	for _, d := range delta.(cache.Deltas) {
		var err error
		switch object := d.Object.(type) {
		case cache.ReplacedAllInfo:
			err = p.Replace(object.Objects, object.ResourceVersion)
		case cache.SyncAllInfo:
		default:
			err = p.apply(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *popped) apply(d cache.Delta) error {
	switch d.Type {
	case cache.Added, cache.Updated:
		return p.Update(d.Object)
	case cache.Deleted:
		return p.Delete(d.Object)
	}
	return fmt.Errorf("popped %s of a %T", d.Type, d.Object)
}

// until waits for the pop after which the store has these values by name.
func (p *popped) until(t *testing.T, want map[string]string) {
	t.Helper()
	enough := time.After(30 * time.Second)
	for {
		have := map[string]string{}
		for _, object := range p.List() {
			have[object.(*corev1.ConfigMap).Name] = object.(*corev1.ConfigMap).Data["value"]
		}
		if fmt.Sprint(have) == fmt.Sprint(want) {
			return
		}
		select {
		case <-p.changed:
		case <-enough:
			require.Equal(t, want, have)
		}
	}
}

// TestOursFeedsTheQueueOfClientGosController has ours fill the RealFIFO that the controller of an informer pops from,
// by a streaming list and by a list. The controller's own reflector has nothing to do.
func TestOursFeedsTheQueueOfClientGosController(t *testing.T) {
	for name, listOnly := range map[string]bool{"streaming list": false, "list": true} {
		t.Run(name, func(t *testing.T) {
			c := cluster.New(t)
			set := kube.Clientset(t, kube.RESTConfig(t, c.Cluster))
			put(t, set, c.Namespace, "a", "1")
			put(t, set, c.Namespace, "b", "1")

			p := &popped{changed: make(chan struct{}, 1),
				Indexer: cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, cache.Indexers{})}
			queue := cache.NewRealFIFOWithOptions(
				cache.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true})
			controller := cache.New(&cache.Config{Queue: queue, ListerWatcher: idle(), Process: p.process,
				ObjectType: &corev1.ConfigMap{}})
			own, err := fields.ParseSelector(lab.OwnConfigMaps)
			require.NoError(t, err)
			ours := reflector.New(
				cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", c.Namespace, own),
				&corev1.ConfigMap{}, queue, reflector.Options{ListOnly: listOnly})
			defer together(t, controller.RunWithContext, ours.RunWithContext)()

			p.until(t, map[string]string{"a": "1", "b": "1"})
			select { // the queue says so when Process has returned
			case <-controller.HasSyncedChecker().Done():
			case <-time.After(30 * time.Second):
				t.Fatal("after 30 s the controller has not synced by what ours has replaced")
			}
			put(t, set, c.Namespace, "c", "1")
			put(t, set, c.Namespace, "a", "2")
			require.NoError(t, set.CoreV1().ConfigMaps(c.Namespace).Delete(t.Context(), "b", metav1.DeleteOptions{}))
			p.until(t, map[string]string{"a": "2", "c": "1"})
			require.NotEmpty(t, ours.LastSyncResourceVersion())
			require.Empty(t, controller.LastSyncResourceVersion(), "upstream's reflector has seen nothing")
		})
	}
}

// put writes a ConfigMap.
func put(t *testing.T, set kubernetes.Interface, namespace, name, value string) {
	t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"value": value}}
	maps := set.CoreV1().ConfigMaps(namespace)
	if _, err := maps.Get(t.Context(), name, metav1.GetOptions{}); err == nil {
		_, err = maps.Update(t.Context(), object, metav1.UpdateOptions{})
		require.NoError(t, err)
		return
	}
	_, err := maps.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
}

// together runs functions until the stop that it returns, which waits for them.
func together(t *testing.T, all ...func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for _, run := range all {
		running.Go(func() { run(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}
