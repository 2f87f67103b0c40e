package claims

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// compare is negative where the first resourceVersion is earlier than the second.
func compare(t *testing.T, one, other string) int {
	t.Helper()
	order, err := resourceversion.CompareResourceVersion(one, other)
	require.NoError(t, err)
	return order
}

// equalsServer compares a store with a fresh list, object by object.
func (f *fixture) equalsServer(t *testing.T, s cache.Store) {
	t.Helper()
	list, err := f.maps.List(t.Context(), metav1.ListOptions{FieldSelector: lab.OwnConfigMaps})
	require.NoError(t, err)
	want, have := map[string]corev1.ConfigMap{}, map[string]corev1.ConfigMap{}
	for _, c := range list.Items {
		want[c.Namespace+"/"+c.Name] = c
	}
	for _, key := range s.ListKeys() {
		item, exists, err := s.GetByKey(key)
		require.NoError(t, err)
		require.True(t, exists)
		have[key] = *item.(*corev1.ConfigMap)
	}
	require.Equal(t, want, have)
}

// TestUnderAReflector has client-go's reflector fill the store, with a streaming list and with a list, and client-go's
// generated listers read it. The store's version follows: the list's, and then that of each change and of the deletion.
func TestUnderAReflector(t *testing.T) {
	for name, streaming := range map[string]bool{"streaming list": true, "list": false} {
		t.Run(name, func(t *testing.T) {
			featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, streaming)
			f := setup(t)
			a, b := f.create(t, "a", "red"), f.create(t, "b", "blue")
			s := observe(store.New(cache.MetaNamespaceKeyFunc,
				cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "color": byColor}))
			from := f.reflect(t, s)
			s.until(t, func() bool { return len(s.ListKeys()) == 2 })
			synced := s.LastStoreSyncResourceVersion()
			require.GreaterOrEqual(t, compare(t, synced, b.ResourceVersion), 0, "the list has b in it")
			f.equalsServer(t, s)

			at := func(version string) func() bool {
				return func() bool { return s.LastStoreSyncResourceVersion() == version }
			}
			c := f.create(t, "c", "red")
			s.until(t, at(c.ResourceVersion))
			painted := f.paint(t, a, "blue")
			s.until(t, at(painted.ResourceVersion))
			require.ElementsMatch(t, []string{"red", "blue"}, s.ListIndexFuncValues("color"))
			f.readByListers(t, s)

			require.NoError(t, f.maps.Delete(t.Context(), "c", metav1.DeleteOptions{}))
			s.until(t, func() bool { return len(s.ListKeys()) == 2 })
			require.Positive(t, compare(t, s.LastStoreSyncResourceVersion(), painted.ResourceVersion),
				"a deletion has a version of its own")
			require.Equal(t, []string{"blue"}, s.ListIndexFuncValues("color"), "no value stays that no object has")
			f.equalsServer(t, s)
			require.Equal(t, streaming, from.lists.Load() == 0)
		})
	}
}

// readByListers reads a and b, which are blue, and c, which is red.
func (f *fixture) readByListers(t *testing.T, s cache.Indexer) {
	t.Helper()
	require.NoError(t, s.Add(colored("elsewhere", "d", "blue")))
	defer func() { require.NoError(t, s.Delete(colored("elsewhere", "d", "blue"))) }()
	lister := corelisters.NewConfigMapLister(s)
	blue := labels.SelectorFromSet(labels.Set{"color": "blue"})
	all, err := lister.List(labels.Everything())
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c", "d"}, namesOf(all))
	everywhere, err := lister.List(blue)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "d"}, namesOf(everywhere))

	scans := &scanned{Indexer: s}
	here := corelisters.NewConfigMapLister(scans).ConfigMaps(f.Namespace)
	all, err = here.List(labels.Everything())
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c"}, namesOf(all))
	some, err := here.List(blue)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, namesOf(some))
	require.Zero(t, scans.lists, "by the index of namespaces")

	found, err := here.Get("c")
	require.NoError(t, err)
	require.Equal(t, "red", found.Labels["color"])
	_, err = here.Get("d")
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	require.EqualError(t, err, `configmap "d" not found`)
	generic := cache.NewGenericLister(s, corev1.Resource("configmaps")).ByNamespace(f.Namespace)
	_, err = generic.Get("b")
	require.NoError(t, err)
}

// counting is a RealFIFO that tells of each change that a reflector brought.
type counting struct {
	*cache.RealFIFO
	brought chan struct{}
}

func (c *counting) signal(err error) error {
	c.brought <- struct{}{}
	return err
}

func (c *counting) Add(object any) error    { return c.signal(c.RealFIFO.Add(object)) }
func (c *counting) Update(object any) error { return c.signal(c.RealFIFO.Update(object)) }
func (c *counting) Delete(object any) error { return c.signal(c.RealFIFO.Delete(object)) }

// consumer applies what upstream's controller pops. It is the test's, because upstream's is not exported.
type consumer struct {
	store   *observedStore
	held    sync.Once
	holding chan struct{} // closed when the first delta is there
	release chan struct{} // the first delta waits for it
	mu      sync.Mutex
	batches []int // how many deltas each had
}

// process applies one delta.
func (c *consumer) process(popped any, _ bool) error {
	c.held.Do(func() {
		close(c.holding)
		<-c.release
	})
	deltas, ok := popped.(cache.Deltas)
	if !ok || len(deltas) != 1 {
		return fmt.Errorf("popped %T", popped)
	}
	switch object := deltas[0].Object.(type) {
	case cache.ReplacedAllInfo:
		return c.store.Replace(object.Objects, object.ResourceVersion)
	case cache.BookmarkInfo:
		c.store.Bookmark(object.ResourceVersion)
		return nil
	}
	return c.batch(deltas, false)
}

// batch applies several deltas at once.
func (c *consumer) batch(deltas []cache.Delta, _ bool) error {
	types := map[cache.DeltaType]cache.TransactionType{
		cache.Added: cache.TransactionTypeAdd, cache.Updated: cache.TransactionTypeUpdate,
		cache.Deleted: cache.TransactionTypeDelete,
	}
	var all []cache.Transaction
	for _, d := range deltas {
		all = append(all, cache.Transaction{Type: types[d.Type], Object: d.Object})
	}
	c.mu.Lock()
	c.batches = append(c.batches, len(all))
	c.mu.Unlock()
	if err := c.store.Transaction(all...); err != nil {
		return errors.Join(err.Errors...)
	}
	return nil
}

// TestUnderAController runs client-go's controller with the queue of an informer, and applies what it pops to the
// store, batch by batch. While the consumer is held up the queue fills, so that there are batches.
func TestUnderAController(t *testing.T) {
	f := setup(t)
	first := f.create(t, "first", "red")
	s := observe(store.New(cache.DeletionHandlingMetaNamespaceKeyFunc, cache.Indexers{"color": byColor}))
	c := &consumer{store: s, holding: make(chan struct{}), release: make(chan struct{})}
	queue := &counting{brought: make(chan struct{}, 100), RealFIFO: cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
		AtomicEvents: true, UnlockWhileProcessing: true, EmitDeltaTypeBookmark: true})}
	controller := cache.New(&cache.Config{Queue: queue, ListerWatcher: f.source(), ObjectType: &corev1.ConfigMap{},
		Process: c.process, ProcessBatch: c.batch})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { controller.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	release := sync.OnceFunc(func() { close(c.release) })
	defer release()

	wait(t, c.holding)
	const many = 5
	for i := range many {
		f.create(t, fmt.Sprint("later-", i), "red")
	}
	require.NoError(t, f.maps.Delete(t.Context(), "later-1", metav1.DeleteOptions{}))
	painted := f.paint(t, first, "blue")
	for range many + 2 {
		wait(t, queue.brought)
	}
	release()
	s.until(t, func() bool { return len(s.ListIndexFuncValues("color")) == 2 })
	f.equalsServer(t, s)
	require.Len(t, s.List(), many)
	require.GreaterOrEqual(t, compare(t, s.LastStoreSyncResourceVersion(), painted.ResourceVersion), 0,
		"the last write's, or that of a bookmark that came since")
	c.mu.Lock()
	defer c.mu.Unlock()
	total := 0
	for _, n := range c.batches {
		total += n
	}
	require.Equal(t, many+2, total)
	require.Less(t, len(c.batches), total, "there were batches: %v", c.batches)
}
