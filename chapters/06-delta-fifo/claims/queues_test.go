package claims

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func configMap(name, version string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "d", ResourceVersion: version}}
}

// known is a store with these objects, as the consumer of a queue has it.
func known(objects ...*corev1.ConfigMap) cache.Store {
	s := cache.NewStore(cache.MetaNamespaceKeyFunc)
	for _, o := range objects {
		if err := s.Add(o); err != nil {
			panic(err)
		}
	}
	return s
}

func deltaFIFO(knows cache.KeyListerGetter) *cache.DeltaFIFO {
	return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: knows, EmitDeltaTypeReplaced: true})
}

// atomic is the queue that an informer has.
func atomic() *cache.RealFIFO {
	return cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true,
		EmitDeltaTypeBookmark: true})
}

// told is a delta as text: its type, and the object's name and version.
func told(d cache.Delta) string {
	switch o := d.Object.(type) {
	case *corev1.ConfigMap:
		return fmt.Sprintf("%s %s@%s", d.Type, o.Name, o.ResourceVersion)
	case cache.DeletedFinalStateUnknown:
		last := "nothing"
		if c, ok := o.Obj.(*corev1.ConfigMap); ok {
			last = c.Name + "@" + c.ResourceVersion
		}
		return fmt.Sprintf("%s tombstone of %s with %s", d.Type, o.Key, last)
	case cache.ReplacedAllInfo:
		return fmt.Sprintf("%s %d objects at %s", d.Type, len(o.Objects), o.ResourceVersion)
	case cache.BookmarkInfo:
		return fmt.Sprintf("%s %s", d.Type, o.ResourceVersion)
	default:
		return string(d.Type)
	}
}

// pops empties a queue: what each Pop hands out.
func pops(t *testing.T, q cache.Queue) (all [][]string) {
	t.Helper()
	q.Close()
	for {
		popped, err := q.Pop(func(any, bool) error { return nil })
		if errors.Is(err, cache.ErrFIFOClosed) {
			return all
		}
		require.NoError(t, err)
		var texts []string
		for _, d := range popped.(cache.Deltas) {
			texts = append(texts, told(d))
		}
		all = append(all, texts)
	}
}

// do does the same to a queue, which must not fail.
func do(t *testing.T, errs ...error) {
	t.Helper()
	require.NoError(t, errors.Join(errs...))
}

// A DeltaFIFO keeps, for each key, all deltas since the key was popped last, and a queue of keys. Only two deletions in
// a row become one: the one that knows more. A later change adds to what waits, and the key keeps its place.
//
// covers: S3-31 S3-32 S3-33 S3-34 S4-12 S4-13 B-27 B-28
func TestADeltaFIFOKeepsEachDelta(t *testing.T) {
	q := deltaFIFO(known())
	do(t, q.Add(configMap("a", "1")), q.Add(configMap("b", "2")))
	for version := 3; version < 8; version++ {
		do(t, q.Update(configMap("a", fmt.Sprint(version))))
	}
	do(t, q.Delete(configMap("a", "8")), q.Delete(cache.DeletedFinalStateUnknown{Key: "d/a"}))
	require.Equal(t, [][]string{
		{"Added a@1", "Updated a@3", "Updated a@4", "Updated a@5", "Updated a@6", "Updated a@7", "Deleted a@8"},
		{"Added b@2"},
	}, pops(t, q), "two updates would be the last two, and one deletion alone what swallows history")
}

// The deletion of what neither waits nor is known is no delta in a DeltaFIFO. A RealFIFO passes it on, twice if it
// comes twice: whoever handles deletions has to bear that.
//
// covers: B-43
func TestARealFIFOFiltersNoDeletions(t *testing.T) {
	q := deltaFIFO(known())
	do(t, q.Delete(configMap("a", "1")), q.Delete(configMap("a", "1")))
	require.Empty(t, pops(t, q))

	real := atomic()
	do(t, real.Delete(configMap("a", "1")), real.Delete(configMap("a", "1")))
	require.Equal(t, [][]string{{"Deleted a@1"}, {"Deleted a@1"}}, pops(t, real))
}

// Replace finds what is gone among the keys that wait, and among the objects that the consumer knows. What it puts into
// the queue is a tombstone with the last state that anybody here has seen.
//
// covers: S3-37 S4-16 B-32
func TestReplaceFindsWhatIsGone(t *testing.T) {
	q := deltaFIFO(known(configMap("known", "1"), configMap("stays", "2")))
	do(t, q.Add(configMap("waits", "3")), q.Update(configMap("waits", "4")),
		q.Replace([]any{configMap("stays", "5")}, "6"))
	require.Equal(t, [][]string{
		{"Added waits@3", "Updated waits@4", "Deleted tombstone of d/waits with waits@4"},
		{"Replaced stays@5"},
		{"Deleted tombstone of d/known with known@1"},
	}, pops(t, q))
}

// There are eight types of deltas, and three of them are no object's: an atomic RealFIFO has them.
//
// covers: B-34
func TestEightTypesOfDeltas(t *testing.T) {
	q := atomic()
	do(t, q.Replace([]any{configMap("a", "1")}, "1"), q.Add(configMap("b", "2")), q.Update(configMap("b", "3")),
		q.Delete(configMap("b", "4")), q.Bookmark("5"), q.Resync())
	require.Equal(t, [][]string{{"ReplacedAll 1 objects at 1"}, {"Added b@2"}, {"Updated b@3"}, {"Deleted b@4"},
		{"Bookmark 5"}, {"SyncAll"}}, pops(t, q))

	separate := cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{KnownObjects: known(configMap("a", "1"))})
	do(t, separate.Resync(), separate.Replace([]any{configMap("b", "2")}, "2"))
	require.Equal(t, [][]string{{"Sync a@1"}, {"Deleted tombstone of d/a with a@1"}, {"Replaced b@2"}},
		pops(t, separate))
	require.ElementsMatch(t, []string{"Added", "Updated", "Deleted", "Replaced", "Sync", "ReplacedAll", "SyncAll",
		"Bookmark"}, constants(t, "DeltaType"))
}

// A resync of a DeltaFIFO queues a Sync for each known object, but not on top of what waits for its key: that would
// bring an older state after a newer one. An atomic RealFIFO queues one delta, of no object.
//
// covers: S3-38 B-35
func TestAResyncPassesOverWhatWaits(t *testing.T) {
	q := deltaFIFO(known(configMap("a", "1"), configMap("b", "1")))
	do(t, q.Delete(configMap("a", "2")), q.Resync())
	require.Equal(t, [][]string{{"Deleted a@2"}, {"Sync b@1"}}, pops(t, q))

	real := atomic()
	do(t, real.Resync())
	require.Equal(t, [][]string{{"SyncAll"}}, pops(t, real))
}

// An atomic RealFIFO refuses known objects: what is gone is found by whoever pops.
//
// covers: B-33
func TestAnAtomicQueueKnowsNoObjects(t *testing.T) {
	require.PanicsWithValue(t, "coding error: knownObjects must not be provided when AtomicEvents is true", func() {
		cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{AtomicEvents: true, KnownObjects: known()})
	})
}

// A Pop whose function fails has popped. There is no way to put the item back, and nobody does it.
//
// covers: S3-35 S4-05 B-31
func TestAFailedPopHasPopped(t *testing.T) {
	for name, q := range map[string]cache.Queue{"DeltaFIFO": deltaFIFO(known()), "RealFIFO": atomic()} {
		t.Run(name, func(t *testing.T) {
			failure := errors.New("no")
			do(t, q.Add(configMap("a", "1")))
			popped, err := q.Pop(func(any, bool) error { return failure })
			require.ErrorIs(t, err, failure)
			require.Len(t, popped, 1)
			require.Empty(t, pops(t, q), "the item would be here again")
			_, puts := reflect.TypeOf(q).MethodByName("AddIfNotPresent")
			require.False(t, puts)
		})
	}
	_, has := reflect.TypeFor[cache.Config]().FieldByName("RetryOnError")
	require.False(t, has)
}

// A controller's Config has a queue, what lists and watches, and what processes: no store.
//
// covers: S4-02
func TestWhatAControllerIsMadeOf(t *testing.T) {
	config := reflect.TypeFor[cache.Config]()
	for _, field := range []string{"Queue", "ListerWatcher", "Process", "ProcessBatch", "ObjectType",
		"FullResyncPeriod", "ShouldResync"} {
		_, has := config.FieldByName(field)
		require.True(t, has, field)
	}
	for i := range config.NumField() {
		require.NotEqual(t, reflect.TypeFor[cache.Store](), config.Field(i).Type)
	}
}

// A queue is no store: there is nothing to get or list.
//
// covers: B-40
func TestAQueueCanNotBeRead(t *testing.T) {
	for _, q := range []any{deltaFIFO(known()), atomic()} {
		_, isQueue := q.(cache.Queue)
		require.True(t, isQueue)
		_, isStore := q.(cache.Store)
		require.False(t, isStore)
		for _, method := range []string{"Get", "GetByKey", "List", "ListKeys"} {
			_, has := reflect.TypeOf(q).MethodByName(method)
			require.False(t, has, "%T.%s", q, method)
		}
	}
}

// What old texts call does not compile any more.
//
// covers: B-41 S4-15
func TestOldNamesAreGone(t *testing.T) {
	for _, name := range []string{"DeltaCompressor", "DeltaCompressorFunc", "FIFOClosedError", "Pop"} {
		require.False(t, declares(t, name), "cache.%s", name)
	}
	require.True(t, declares(t, "ErrFIFOClosed"), "declares finds what there is")
	//lint:ignore SA1019 how many arguments it takes is what is asked
	require.Equal(t, 2, reflect.TypeOf(cache.NewDeltaFIFO).NumIn(), "a compressor was the third argument")

	// "Ignore a Sync if the last delta is a deletion" was a compressor's rule. Now the resync looks at what waits.
	q := deltaFIFO(known(configMap("a", "1")))
	do(t, q.Delete(configMap("a", "2")), q.Resync())
	require.Equal(t, [][]string{{"Deleted a@2"}}, pops(t, q))
}
