package claims

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// at is a ConfigMap of a resourceVersion.
func at(name, resourceVersion string) *corev1.ConfigMap {
	c := colored("default", name, "red")
	c.ResourceVersion = resourceVersion
	return c
}

// TestTransactionsAndTransformers: upstream's comment says that the transformer is called with every object that is put
// in the cache. A transaction puts them in untransformed.
func TestTransactionsAndTransformers(t *testing.T) {
	managed := colored("default", "a", "red")
	managed.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
	byKey := cache.MetaNamespaceKeyFunc
	for _, c := range []struct {
		name        string
		store       cache.Indexer
		transformed bool
	}{
		{"ours", store.New(byKey, nil, store.WithTransformer(strip)), true},
		{"upstream", cache.NewIndexer(byKey, cache.Indexers{}, cache.WithTransformer(strip)), false},
	} {
		err := c.store.(cache.TransactionStore).Transaction(
			cache.Transaction{Type: cache.TransactionTypeAdd, Object: managed.DeepCopy()})
		require.Nil(t, err)
		kept := c.store.List()[0].(*corev1.ConfigMap)
		require.Equal(t, c.transformed, len(kept.ManagedFields) == 0, c.name)
	}
}

// TestUnknownTransactionType: upstream makes nothing of it, reports that it was made, and takes its resourceVersion.
func TestUnknownTransactionType(t *testing.T) {
	patch := cache.Transaction{Type: "Patch", Object: at("a", "7")}
	s := upstreams(nil)
	require.Nil(t, s.(cache.TransactionStore).Transaction(patch))
	require.Empty(t, s.List())
	require.Equal(t, "7", s.LastStoreSyncResourceVersion())

	s = ours(nil)
	err := s.(cache.TransactionStore).Transaction(patch)
	require.ErrorContains(t, err, `the type "Patch"`)
	require.Empty(t, err.SuccessfulIndices)
	require.Empty(t, s.LastStoreSyncResourceVersion())
}

// TestWhoseMapOfIndexers: upstream keeps the map that it was given, hands it out, and writes into it. A caller's change
// of it is a change of the store, and two stores that were given one map have one set of functions. Given none it
// cannot take any later. Ours copies.
func TestWhoseMapOfIndexers(t *testing.T) {
	knows := func(s cache.Indexer, index string) bool {
		_, err := s.ByIndex(index, "red")
		return err == nil
	}
	given := cache.Indexers{"color": byColor}
	one, other := upstreams(given), upstreams(given)
	require.NoError(t, one.AddIndexers(cache.Indexers{"late": byColor}))
	require.Contains(t, given, "late", "the caller's map")
	require.True(t, knows(other, "late"), "another store")
	one.GetIndexers()["later"] = byColor
	require.True(t, knows(one, "later"))
	require.PanicsWithError(t, "assignment to entry in nil map",
		func() { _ = upstreams(nil).AddIndexers(cache.Indexers{"color": byColor}) })
	informer := cache.NewSharedIndexInformerWithOptions(nil, &corev1.ConfigMap{}, cache.SharedIndexInformerOptions{})
	require.PanicsWithError(t, "assignment to entry in nil map",
		func() { _ = informer.AddIndexers(cache.Indexers{"color": byColor}) }, "and so an informer that was given none")

	given = cache.Indexers{"color": byColor}
	one, other = ours(given), ours(given)
	require.NoError(t, one.AddIndexers(cache.Indexers{"late": byColor}))
	require.NotContains(t, given, "late")
	require.False(t, knows(other, "late"))
	one.GetIndexers()["later"] = byColor
	require.False(t, knows(one, "later"))
	require.NoError(t, ours(nil).AddIndexers(cache.Indexers{"color": byColor}))
}

// TestWhoWaitsForIndexFunctions: upstream asks index functions with its lock held: in each write, in a Replace for all
// objects, in AddIndexers, and in Index, where writers wait. Ours holds the lock for the change alone, and a reader
// that comes meanwhile sees the old state.
func TestWhoWaitsForIndexFunctions(t *testing.T) {
	fresh := colored("default", "fresh", "red")
	add := func(s cache.Indexer, _ cache.IndexFunc) error { return s.Add(fresh) }
	replace := func(s cache.Indexer, _ cache.IndexFunc) error { return s.Replace([]any{fresh}, "2") }
	addIndexers := func(s cache.Indexer, slow cache.IndexFunc) error {
		return s.AddIndexers(cache.Indexers{"late": slow})
	}
	index := func(s cache.Indexer, _ cache.IndexFunc) error {
		_, err := s.Index("slow", fresh)
		return err
	}
	read := func(s cache.Indexer) { s.ListKeys() }
	write := func(s cache.Indexer) { _ = s.Delete(colored("default", "absent", "")) }
	for _, c := range []struct {
		name     string
		call     func(cache.Indexer, cache.IndexFunc) error
		probe    func(cache.Indexer)
		upstream bool
	}{
		{"Add", add, read, false},
		{"Replace", replace, read, false},
		{"AddIndexers", addIndexers, read, false},
		{"Index", index, write, false},
		{"Add beside GetIndexers", add, func(s cache.Indexer) { s.GetIndexers() }, true}, // which takes no lock
	} {
		t.Run(c.name, func(t *testing.T) {
			goesOn(t, ours, true, c.call, c.probe)
			goesOn(t, upstreams, c.upstream, c.call, c.probe)
		})
	}
}

// goesOn expects that a probe comes back while an index function is being asked by a call, or that it does not. The
// second is seen by waiting a little, which a slow machine does not break.
func goesOn(t *testing.T, new newStore, expected bool, call func(cache.Indexer, cache.IndexFunc) error,
	probe func(cache.Indexer)) {
	t.Helper()
	var armed atomic.Bool
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	slow := func(any) ([]string, error) {
		if armed.Load() {
			asked <- struct{}{}
			<-answer
		}
		return nil, nil
	}
	s := new(cache.Indexers{"slow": slow})
	require.NoError(t, s.Add(colored("default", "old", "red")))
	armed.Store(true)
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, call(s, slow)) })
	wait(t, asked)
	done := make(chan struct{})
	running.Go(func() { defer close(done); probe(s) })
	limit := patience
	if !expected {
		limit = 50 * time.Millisecond
	}
	came := false
	select {
	case <-done:
		came = true
	case <-time.After(limit):
	}
	close(answer)
	running.Wait()
	require.Equal(t, expected, came, "%T", s)
}

// TestAnIndexFunctionThatReads: ours asks index functions while it holds the writers' lock alone, so that one may read
// the store. Upstream asks with its one lock held, and a read that a write waits for would wait for that write.
func TestAnIndexFunctionThatReads(t *testing.T) {
	var s cache.Indexer
	reads := func(any) ([]string, error) { return s.ListKeys(), nil }
	s = ours(cache.Indexers{"before": reads})
	for _, name := range []string{"a", "b"} {
		require.NoError(t, s.Add(colored("default", name, "red")))
	}
	keys, err := s.IndexKeys("before", "default/a")
	require.NoError(t, err)
	require.Equal(t, []string{"default/b"}, keys, "b's function has read the store without b")

	upstreamReads := make(chan struct{}, 1)
	waits := func(any) ([]string, error) {
		go func() { s.ListKeys(); upstreamReads <- struct{}{} }()
		select {
		case <-upstreamReads:
			return []string{"has read"}, nil
		case <-time.After(50 * time.Millisecond): // a slow machine does not break it
			return []string{"still reads"}, nil
		}
	}
	s = upstreams(cache.Indexers{"before": waits})
	require.NoError(t, s.Add(colored("default", "a", "red")))
	wait(t, upstreamReads) // once Add has returned
	require.Equal(t, []string{"still reads"}, s.ListIndexFuncValues("before"))
}

// TestAnIndexFunctionThatReusesItsSlice: what an index function returns is the store's until the write is over.
// Upstream uses the values of one object before it asks for those of the next, so that a Transaction of additions goes
// well. Ours asks for all, and finds the last one's values under each. An Update, which asks about two objects, goes
// wrong in both.
func TestAnIndexFunctionThatReusesItsSlice(t *testing.T) {
	scratch := make([]string, 1)
	reuses := func(object any) ([]string, error) {
		scratch[0] = object.(*corev1.ConfigMap).Labels["color"]
		return scratch, nil
	}
	add := func(name, color string) cache.Transaction {
		return cache.Transaction{Type: cache.TransactionTypeAdd, Object: colored("default", name, color)}
	}
	for name, row := range map[string]struct {
		new  newStore
		reds int
	}{"ours": {ours, 0}, "upstream": {upstreams, 1}} {
		s := row.new(cache.Indexers{"color": reuses})
		require.Nil(t, s.(cache.TransactionStore).Transaction(add("a", "red"), add("b", "blue")))
		reds, err := s.ByIndex("color", "red")
		require.NoError(t, err)
		require.Len(t, reds, row.reds, name)

		s = row.new(cache.Indexers{"color": reuses})
		require.NoError(t, s.Add(colored("default", "a", "red")))
		require.NoError(t, s.Update(colored("default", "a", "blue")))
		reds, err = s.ByIndex("color", "red")
		require.NoError(t, err)
		require.Len(t, reds, 1, "%s: the object has left red, and red has it", name)
	}
}

// TestTheVersionIsThatOfTheLastWrite: neither store compares resourceVersions. What is written last is the version,
// also when it is older, and a batch has that of its last element.
func TestTheVersionIsThatOfTheLastWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, new newStore) {
		s := new(cache.Indexers{})
		version := func(want string) {
			t.Helper()
			require.Equal(t, want, s.LastStoreSyncResourceVersion())
		}
		version("")
		require.NoError(t, s.Replace(nil, "10"))
		version("10")
		require.NoError(t, s.Add(at("a", "12")))
		version("12")
		require.NoError(t, s.Delete(at("a", "11")))
		version("11") // a deletion with the object as it was last seen, and not with the server's
		s.Bookmark("5")
		version("5")
		require.NoError(t, s.Delete(cache.DeletedFinalStateUnknown{Key: "default/a", Obj: at("a", "20")}))
		version("5") // a tombstone has none
		require.Nil(t, s.(cache.TransactionStore).Transaction(
			cache.Transaction{Type: cache.TransactionTypeAdd, Object: at("b", "30")},
			cache.Transaction{Type: cache.TransactionTypeDelete, Object: at("c", "29")}))
		version("29")
	})
}

// TestTheVersionBehindAGate: with the feature gate AtomicFIFO off, upstream knows the version and does not say it.
func TestTheVersionBehindAGate(t *testing.T) {
	featuretesting.SetFeatureDuringTest(t, clientfeatures.UnlockWhileProcessingFIFO, false)
	featuretesting.SetFeatureDuringTest(t, clientfeatures.AtomicFIFO, false)
	for name, want := range map[string]string{"ours": "10", "upstream": ""} {
		s := map[string]newStore{"ours": ours, "upstream": upstreams}[name](nil)
		require.NoError(t, s.Replace(nil, "10"))
		require.Equal(t, want, s.LastStoreSyncResourceVersion(), name)
	}
}

// TestThreadSafeStore: upstream's indexer is two layers. The lower one is given the keys, and its Delete, which knows
// no object, leaves the version as it was.
func TestThreadSafeStore(t *testing.T) {
	s := cache.NewThreadSafeStore(cache.Indexers{"color": byColor}, cache.Indices{})
	s.Add("any key", at("a", "12"))
	item, exists := s.Get("any key")
	require.True(t, exists)
	require.Equal(t, "a", nameOf(item))
	s.Delete("any key")
	require.Equal(t, "12", s.LastStoreSyncResourceVersion())
	s.DeleteWithObject("any key", at("a", "13"))
	require.Equal(t, "13", s.LastStoreSyncResourceVersion())
}
