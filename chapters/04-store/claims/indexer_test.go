package claims

import (
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// TestAnInformerIsAStoreAndHandlers: an informer keeps an indexed store, under namespace and name, and tells handlers.
// A handler is told of nothing that the store does not have yet.
//
// covers: S0-23 S1-05
func TestAnInformerIsAStoreAndHandlers(t *testing.T) {
	f := setup(t)
	a := f.create(t, "a", "red")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	handler := listen(t, informer)
	run(t, factory)
	handler.expect(t, "add a")
	require.Equal(t, []string{f.Namespace + "/a"}, informer.GetStore().ListKeys())
	require.Contains(t, namespaces.GetStore().ListKeys(), f.Namespace, "what has no namespace is under its name alone")

	painted := f.paint(t, a, "blue")
	handler.expect(t, "update a")
	item, exists, err := informer.GetStore().GetByKey(f.Namespace + "/a")
	require.NoError(t, err)
	require.True(t, exists)
	require.Equal(t, painted.ResourceVersion, item.(*corev1.ConfigMap).ResourceVersion)
	again, _, err := informer.GetStore().Get(painted)
	require.NoError(t, err)
	require.Same(t, item, again, "each reader gets the same pointer")
	require.NoError(t, f.maps.Delete(t.Context(), "a", metav1.DeleteOptions{}))
	handler.expect(t, "delete a")
	require.Empty(t, informer.GetStore().List())
}

// TestIndexersMayComeLate: an informer that runs takes indexers at any time. What it holds is indexed before
// AddIndexers returns, and nothing about the result is undefined. Only one that has stopped refuses.
//
// covers: B-46 S1-06
func TestIndexersMayComeLate(t *testing.T) {
	f := setup(t)
	f.create(t, "a", "red")
	f.create(t, "b", "blue")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	handler := listen(t, informer)
	stop := run(t, factory)
	require.NoError(t, informer.AddIndexers(cache.Indexers{"color": byColor}), "started, and with objects in it")
	red := func() []string {
		list, err := informer.GetIndexer().ByIndex("color", "red")
		require.NoError(t, err)
		return namesOf(list)
	}
	require.Equal(t, []string{"a"}, red(), "what was there before the index")
	handler.expect(t, "add a", "add b")
	f.create(t, "c", "red")
	handler.expect(t, "add c")
	require.Equal(t, []string{"a", "c"}, red(), "and what came after it")
	require.ErrorContains(t, informer.AddIndexers(cache.Indexers{"color": byColor}), "indexer conflict")
	stop()
	require.ErrorContains(t, informer.AddIndexers(cache.Indexers{"late": byColor}), "stopped already")

	ours := store.New(cache.MetaNamespaceKeyFunc, nil)
	require.NoError(t, ours.Replace(informer.GetStore().List(), "1"))
	require.NoError(t, ours.AddIndexers(cache.Indexers{"color": byColor}))
	list, err := ours.ByIndex("color", "red")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "c"}, namesOf(list))
}

// TestIndexedWhenItEnters: an index function is asked when an object comes, goes or is replaced, and not when somebody
// reads. GetStore and GetIndexer of an informer are the same store, and GetIndexers is a map of functions.
//
// covers: S1-06 S4-09
func TestIndexedWhenItEnters(t *testing.T) {
	onBoth(t, func(t *testing.T, new newStore) {
		var asked atomic.Int32
		s := new(cache.Indexers{"color": func(object any) ([]string, error) {
			asked.Add(1)
			return byColor(object)
		}})
		require.NoError(t, s.Add(colored("default", "a", "red")))
		require.EqualValues(t, 1, asked.Swap(0))
		for range 3 {
			list, err := s.ByIndex("color", "red")
			require.NoError(t, err)
			require.Len(t, list, 1)
			keys, err := s.IndexKeys("color", "red")
			require.NoError(t, err)
			require.Equal(t, []string{"default/a"}, keys)
			require.Equal(t, []string{"red"}, s.ListIndexFuncValues("color"))
		}
		require.Zero(t, asked.Load(), "reading asks no function")
		require.NoError(t, s.Update(colored("default", "a", "blue")))
		require.EqualValues(t, 2, asked.Swap(0), "of the old object and of the new one")
		require.NoError(t, s.Delete(colored("default", "a", "whatever the deletion says")))
		require.EqualValues(t, 1, asked.Load(), "of the object that was held")
		require.Empty(t, s.ListIndexFuncValues("color"))
		require.Contains(t, s.GetIndexers(), "color")
	})
}

// TestGetStoreIsTheIndexer: an informer's GetStore is its indexer and not its queue. Nobody stops a caller who writes
// to it: what was written is in the lister and nowhere else, and no handler hears of it.
//
// covers: S4-10
func TestGetStoreIsTheIndexer(t *testing.T) {
	f := setup(t)
	factory := f.factory()
	informer, lister := factory.Core().V1().ConfigMaps().Informer(), factory.Core().V1().ConfigMaps().Lister()
	handler := listen(t, informer)
	run(t, factory)
	require.Same(t, informer.GetIndexer(), informer.GetStore())
	_, isQueue := informer.GetStore().(cache.Queue)
	require.False(t, isQueue)

	require.NoError(t, informer.GetStore().Add(colored(f.Namespace, "ghost", "white")))
	f.create(t, "real", "red")
	handler.expect(t, "add real") // and not "add ghost"
	_, err := lister.ConfigMaps(f.Namespace).Get("ghost")
	require.NoError(t, err, "each reader of the cache meets it")
	_, err = f.maps.Get(t.Context(), "ghost", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), "the server never heard of it: %v", err)
}

// TestAQueueIsNoStore: what a reflector writes to has Add, Update, Delete, Replace and Resync. A Store has these and
// can be read; a Queue has these and Pop. That a Queue is a Store was so until client-go 0.32.
//
// covers: S4-03
func TestAQueueIsNoStore(t *testing.T) {
	reflected := reflect.TypeFor[cache.ReflectorStore]()
	ourStore, queue := reflect.TypeFor[*store.Store](), reflect.TypeFor[*cache.RealFIFO]()
	require.True(t, reflect.TypeFor[cache.Store]().Implements(reflected))
	require.True(t, reflect.TypeFor[cache.Queue]().Implements(reflected))
	require.True(t, ourStore.Implements(reflect.TypeFor[cache.Store]()))
	require.True(t, queue.Implements(reflect.TypeFor[cache.Queue]()))

	require.False(t, queue.Implements(reflect.TypeFor[cache.Store]()))
	require.False(t, reflect.TypeFor[*cache.DeltaFIFO]().Implements(reflect.TypeFor[cache.Store]()))
	for _, gone := range []string{"List", "ListKeys", "Get", "GetByKey", "AddIfNotPresent"} {
		_, has := reflect.TypeFor[cache.Queue]().MethodByName(gone)
		require.False(t, has, gone)
	}
	// A method of one name keeps the two apart even now.
	bookmarked := reflect.TypeFor[cache.ReflectorBookmarkStore]()
	require.True(t, queue.Implements(bookmarked), "a queue's Bookmark returns an error")
	require.False(t, ourStore.Implements(bookmarked), "a store's returns nothing")
}

// TestKnownObjects: to a queue that compares, a store is what can list its keys and get by key, and nothing more. The
// queue finds in it what a re-list no longer has. An informer's queue is given no store any more.
//
// covers: S4-11
func TestKnownObjects(t *testing.T) {
	gone := colored("default", "gone", "red")
	onBoth(t, func(t *testing.T, new newStore) {
		s := new(nil)
		require.NoError(t, s.Add(gone))
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: s})
		require.NoError(t, queue.Replace(nil, "2"), "a list without the object that the store knows")
		popped, err := queue.Pop(func(any, bool) error { return nil })
		require.NoError(t, err)
		require.Equal(t, cache.Deltas{{Type: cache.Deleted,
			Object: cache.DeletedFinalStateUnknown{Key: "default/gone", Obj: gone}}}, popped)
		require.PanicsWithValue(t, "coding error: knownObjects must not be provided when AtomicEvents is true", func() {
			cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{AtomicEvents: true, KnownObjects: s})
		}, "which is how an informer makes its queue")
	})
}

var _ cache.KeyListerGetter = (*store.Store)(nil)
