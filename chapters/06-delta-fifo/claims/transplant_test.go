package claims

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// consumer keeps a store as its queue says. It is the test's, because upstream's is not exported.
type consumer struct {
	cache.Store
	processed chan struct{} // something was

	mu         sync.Mutex
	types      map[cache.DeltaType]int
	tombstones []string
	batches    int
}

func newConsumer() *consumer {
	return &consumer{Store: cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc),
		types:     map[cache.DeltaType]int{},
		processed: make(chan struct{}, 1)}
}

// process is a cache.ProcessFunc.
func (c *consumer) process(object any, _ bool) error {
	deltas, ok := object.(cache.Deltas)
	if !ok {
		return fmt.Errorf("%T is no cache.Deltas", object)
	}
	return c.take(deltas)
}

// processBatch is a cache.ProcessBatchFunc.
func (c *consumer) processBatch(deltas []cache.Delta, _ bool) error {
	c.mu.Lock()
	c.batches++
	c.mu.Unlock()
	return c.take(deltas)
}

func (c *consumer) take(deltas []cache.Delta) error {
	defer func() {
		select {
		case c.processed <- struct{}{}:
		default:
		}
	}()
	for _, d := range deltas {
		if err := c.apply(d); err != nil {
			return err
		}
	}
	return nil
}

func (c *consumer) apply(d cache.Delta) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.types[d.Type]++
	switch o := d.Object.(type) {
	case cache.ReplacedAllInfo:
		return c.Replace(o.Objects, o.ResourceVersion)
	case cache.BookmarkInfo, cache.SyncAllInfo:
		return nil
	case cache.DeletedFinalStateUnknown:
		c.tombstones = append(c.tombstones, o.Key)
		return c.Delete(o)
	}
	if d.Type == cache.Deleted {
		return c.Delete(d.Object)
	}
	return c.Update(d.Object)
}

// until waits until the condition holds. It is looked at when something was processed.
func (c *consumer) until(t *testing.T, holds func() bool) {
	t.Helper()
	for limit := time.After(30 * time.Second); !holds(); {
		select {
		case <-c.processed:
		case <-limit:
			t.Fatalf("after 30 s the store has %v", c.ListKeys())
		}
	}
}

// has tells which of the processed deltas there were, and whose tombstones.
func (c *consumer) has() (types map[cache.DeltaType]int, tombstones []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.types, c.tombstones
}

// client-go's controller runs on either queue, against the API server. Its watch is cut off by a 410, and an object is
// deleted in that moment, so that no event tells of it. Which options a queue needs depends on who finds out: a queue
// that knows the store, or, for an atomic one, the consumer.
func TestAControllerRunsOnOurQueues(t *testing.T) {
	for name, newQueue := range map[string]func(cache.Store) cache.Queue{
		"DeltaFIFO": func(s cache.Store) cache.Queue {
			return fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{KnownObjects: s, EmitDeltaTypeReplaced: true})
		},
		"RealFIFO": func(s cache.Store) cache.Queue {
			return fifo.NewRealFIFO(fifo.RealFIFOOptions{KnownObjects: s})
		},
		"RealFIFO, atomic": func(cache.Store) cache.Queue {
			return fifo.NewRealFIFO(fifo.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true,
				EmitDeltaTypeBookmark: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			consumer := newConsumer()
			queue := newQueue(consumer)
			run(t, queue, consumer)
			types, tombstones := consumer.has()
			require.Positive(t, types[cache.Updated])
			require.True(t, queue.HasSynced())
			if name == "RealFIFO, atomic" {
				require.Equal(t, 2, types[cache.ReplacedAll], "the list, and the re-list: %v", types)
				require.Positive(t, types[cache.SyncAll])
				require.Empty(t, tombstones, "what is gone is the consumer's to find")
			} else {
				require.Len(t, tombstones, 1)
				require.Contains(t, tombstones[0], "/gone")
				require.Positive(t, types[cache.Sync])
			}
		})
	}
}

// run runs the controller until the store equals a fresh list.
func run(t *testing.T, queue cache.Queue, consumer *consumer) {
	c := cluster.New(t)
	direct, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: c.Server.String(), QPS: -1}, c.HTTPClient())
	require.NoError(t, err)
	maps := direct.CoreV1().ConfigMaps(c.Namespace)
	mine := metav1.ListOptions{LabelSelector: "of=the-test"}
	create := func(name string) {
		_, err := maps.Create(t.Context(), labelled(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	create("stays")
	create("gone")

	script, err := faults.Parse("1.4 expired") // two objects, an update, and then this
	require.NoError(t, err)
	proxy := faults.New(c.Server, c.HTTPClient().Transport, script)
	defer proxy.Close()
	proxy.OnFault(func(faults.Record, faults.Fault) {
		require.NoError(t, maps.Delete(t.Context(), "gone", metav1.DeleteOptions{}))
	})
	faulty, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, proxy.Client())
	require.NoError(t, err)
	controller := cache.New(&cache.Config{
		Queue: queue, Process: consumer.process, ProcessBatch: consumer.processBatch, ObjectType: &corev1.ConfigMap{},
		ListerWatcher: cache.NewFilteredListWatchFromClient(faulty.CoreV1().RESTClient(), "configmaps", c.Namespace,
			func(o *metav1.ListOptions) { o.LabelSelector = mine.LabelSelector }),
		FullResyncPeriod: 500 * time.Millisecond,
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); controller.RunWithContext(ctx) }()
	defer func() { cancel(); <-done }()

	consumer.until(t, func() bool { return len(consumer.ListKeys()) == 2 && controller.HasSynced() })
	changed, err := maps.Get(t.Context(), "stays", metav1.GetOptions{})
	require.NoError(t, err)
	changed.Data = map[string]string{"changed": "once"}
	_, err = maps.Update(t.Context(), changed, metav1.UpdateOptions{})
	require.NoError(t, err)
	create("late") // the fourth event, which never comes
	equal := func() bool {
		list, err := maps.List(t.Context(), mine)
		require.NoError(t, err)
		held := consumer.List()
		for _, o := range list.Items {
			have, exists, err := consumer.GetByKey(c.Namespace + "/" + o.Name)
			if err != nil || !exists || !apiequality.Semantic.DeepEqual(*have.(*corev1.ConfigMap), o) {
				return false
			}
		}
		return len(held) == len(list.Items)
	}
	consumer.until(t, func() bool { return equal() && resynced(consumer) })
	require.Len(t, consumer.ListKeys(), 2, "stays, and late")
}

// resynced tells whether a resync was processed.
func resynced(c *consumer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.types[cache.Sync]+c.types[cache.SyncAll] > 0
}

func labelled(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"of": "the-test"}}}
}
