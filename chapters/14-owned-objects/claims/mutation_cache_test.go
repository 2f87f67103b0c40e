package claims

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// everything is the name of an index that has all objects under one value.
const everything = "everything"

// overlay is a MutationCache over a store that only the test fills, as an informer would.
type overlay struct {
	cache.MutationCache
	t     *testing.T
	store cache.Indexer
}

func newOverlay(t *testing.T, options cache.MutationCacheOptions) *overlay {
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		everything: func(any) ([]string, error) { return []string{everything}, nil }})
	options.Indexer = store
	return &overlay{cache.NewIntegerResourceVersionMutationCacheWithOptions(logr.Discard(), store, options), t, store}
}

// version is an object of this name, UID and version.
func version(name string, uid types.UID, n int) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, UID: uid, ResourceVersion: strconv.Itoa(n)}}
}

// informer has the store hear of an object, and the cache after it, as from an event handler.
func (o *overlay) informer(m *corev1.ConfigMap) {
	require.NoError(o.t, o.store.Add(m))
	o.OnAddOrUpdate(m)
}

// storeAlone has the store hear that an object is gone, and not the cache.
func (o *overlay) storeAlone(m *corev1.ConfigMap) { require.NoError(o.t, o.store.Delete(m)) }

// listed are the versions that a read by index has of an object.
func (o *overlay) listed(name string) (versions []string) {
	o.t.Helper()
	all, err := o.ByIndex(everything, everything)
	require.NoError(o.t, err)
	for _, one := range all {
		if m := one.(*corev1.ConfigMap); m.Name == name {
			versions = append(versions, m.ResourceVersion)
		}
	}
	return versions
}

// byKey is the version that a read by key has of an object, if it has any.
func (o *overlay) byKey(name string) (versions []string) {
	o.t.Helper()
	read, exists, err := o.GetByKey(name)
	require.NoError(o.t, err)
	if exists {
		versions = append(versions, read.(*corev1.ConfigMap).ResourceVersion)
	}
	return versions
}

// shows requires that what is read is this version of an object, or nothing if it is 0.
func (o *overlay) shows(name string, version int, why string) {
	o.t.Helper()
	var versions []string
	if version > 0 {
		versions = []string{strconv.Itoa(version)}
	}
	require.Equal(o.t, versions, o.listed(name), why)
	if _, exists, _ := o.store.GetByKey(name); exists || version == 0 {
		require.Equal(o.t, versions, o.byKey(name), why)
	}
}

// What was written lies over what the store has, as long as it is newer. An object that the store does not have is
// shown only if the cache was told to: nobody can say whether it is not there yet, or no more.
//
// covers: C-45
func TestAMutationCacheShowsTheNewerOne(t *testing.T) {
	for _, adds := range []bool{false, true} {
		o := newOverlay(t, cache.MutationCacheOptions{IncludeAdds: adds})
		o.Mutation(version("made", "a", 5))
		o.shows("made", map[bool]int{true: 5}[adds], "a creation that the store has not heard of")
		o.informer(version("web", "b", 6))
		o.Mutation(version("web", "b", 8))
		o.shows("web", 8, "an update that the store has not heard of")
		o.informer(version("web", "b", 7))
		o.shows("web", 8, "the store heard of somebody's update before it")
		o.informer(version("web", "b", 9))
		o.shows("web", 9, "and of one after it")
		o.Mutation(version("web", "b", 8))
		o.shows("web", 9, "an answer that came late")
	}
}

// An object that was written and then deleted stays visible until its time is up, unless the deletion is told.
// OnDelete leaves a mark, so that a late answer of a write does not bring it back, and neither a later one of the same
// UID. An object made anew has another UID, and a newer version.
//
// covers: B-103 C-45
func TestAMutationCacheIsToldOfDeletions(t *testing.T) {
	o := newOverlay(t, cache.MutationCacheOptions{IncludeAdds: true})
	o.informer(version("web", "a", 5))
	o.Mutation(version("web", "a", 6))
	o.storeAlone(version("web", "a", 7))
	o.shows("web", 6, "the store says that it is gone, and the cache does not look there for that")
	o.OnDelete(version("web", "a", 7))
	o.shows("web", 0, "now it was told")
	o.Mutation(version("web", "a", 6))
	o.shows("web", 0, "the answer of a write that was before the deletion")
	o.Mutation(version("web", "a", 8))
	o.shows("web", 0, "of the same UID nothing comes again")
	o.Mutation(version("web", "b", 9))
	o.shows("web", 9, "another one of that name")
	o.OnDelete(version("web", "a", 7))
	o.shows("web", 9, "an old deletion does not touch it")
}

// OnDelete takes an object. What an informer's handler gets for a deletion that it missed is none, and can't be passed:
// the handler takes the last known object out of it. If there is none, only the time helps.
//
// covers: B-103
func TestATombstoneIsNoObject(t *testing.T) {
	missed := cache.DeletedFinalStateUnknown{Key: "web", Obj: version("web", "a", 5)}
	_, object := any(missed).(runtime.Object)
	require.False(t, object)
	_, object = any(&missed).(runtime.Object)
	require.False(t, object)

	o := newOverlay(t, cache.MutationCacheOptions{IncludeAdds: true})
	o.Mutation(version("web", "a", 6))
	o.OnDelete(missed.Obj.(runtime.Object))
	o.shows("web", 0, "its version is older than that of the write, and its UID is the same")
	o.Mutation(version("web", "b", 8))
	o.OnDelete(missed.Obj.(runtime.Object))
	o.shows("web", 8, "of another UID it must be the newer one")
}

// A read by key forgets an object that the store does not have: it compares the object with itself, and takes it for
// outdated. So the second one finds nothing. A read by index may be repeated.
//
// covers: C-45
func TestAReadByKeyForgetsACreation(t *testing.T) {
	o := newOverlay(t, cache.MutationCacheOptions{IncludeAdds: true})
	o.Mutation(version("made", "a", 5))
	require.Equal(t, []string{"5"}, o.listed("made"))
	require.Equal(t, []string{"5"}, o.listed("made"))
	require.Equal(t, []string{"5"}, o.byKey("made"))
	require.Empty(t, o.byKey("made"))
	require.Empty(t, o.listed("made"))
}

// Whoever tells of a deletion before the store has heard of it reads the mark itself in the object's place: OnDelete is
// for the informer's handler, which is called when the store is up to date.
//
// covers: B-103
func TestADeletionToldTooEarly(t *testing.T) {
	o := newOverlay(t, cache.MutationCacheOptions{})
	o.informer(version("web", "a", 5))
	o.OnDelete(version("web", "a", 7))
	read, exists, err := o.GetByKey("web")
	require.NoError(t, err)
	require.True(t, exists)
	require.Equal(t, "*cache.tombstone", fmt.Sprintf("%T", read))
	require.NotPanics(t, func() { _ = read.(metav1.Object).GetUID() })
	require.Panics(t, func() { _ = read.(metav1.Object).GetLabels() })
}

// A write is remembered for five minutes, and a hundred of them are, unless told.
//
// covers: B-103 C-45
func TestAMutationCacheForgets(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		old := newOverlay(t, cache.MutationCacheOptions{})
		const adds = true
		old.MutationCache = cache.NewIntegerResourceVersionMutationCache(
			logr.Discard(), old.store, old.store, time.Hour, adds)
		for name, c := range map[string]struct {
			cache *overlay
			after time.Duration
			keeps int
		}{
			"default": {newOverlay(t, cache.MutationCacheOptions{IncludeAdds: adds}), 5 * time.Minute, 100},
			"told": {newOverlay(t, cache.MutationCacheOptions{IncludeAdds: adds, TTL: time.Second, MaxCacheSize: 3}),
				time.Second, 3},
			"without options": {old, time.Hour, 100},
		} {
			shown := func() int {
				all, err := c.cache.ByIndex(everything, everything)
				require.NoError(t, err)
				return len(all)
			}
			for i := range 101 {
				c.cache.Mutation(version(fmt.Sprint("web-", i), "a", 5))
			}
			require.Equal(t, c.keeps, shown(), name)
			time.Sleep(c.after - 1)
			require.Equal(t, c.keeps, shown(), name)
			time.Sleep(2 * time.Nanosecond)
			require.Zero(t, shown(), name)
		}
	})
}
