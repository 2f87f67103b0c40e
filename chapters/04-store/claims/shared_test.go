package claims

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// TestAReadObjectIsShared: what a lister returns is the cache's own object. A reader that writes to it changes it for
// all readers, tells no handler and no server, and loses the change to the next event. A shallow copy shares its maps
// and changes them for all as well; a DeepCopy does not.
//
// covers: S0-23 S2-05
func TestAReadObjectIsShared(t *testing.T) {
	f := setup(t)
	onServer := f.create(t, "a", "red")
	factory := f.factory()
	informer, lister := factory.Core().V1().ConfigMaps().Informer(), factory.Core().V1().ConfigMaps().Lister()
	handler := listen(t, informer)
	run(t, factory)
	handler.expect(t, "add a")
	read := func() *corev1.ConfigMap {
		object, err := lister.ConfigMaps(f.Namespace).Get("a")
		require.NoError(t, err)
		return object
	}

	deep := read().DeepCopy()
	deep.Labels["color"] = "green"
	require.Equal(t, "red", read().Labels["color"], "a DeepCopy is the caller's")

	shallow := *read()
	shallow.ResourceVersion = "the copy's own"
	shallow.Labels["color"] = "black"
	require.Equal(t, onServer.ResourceVersion, read().ResourceVersion, "a field of a shallow copy is the copy's")
	require.Equal(t, "black", read().Labels["color"], "its map is the cache's")

	read().Labels["color"] = "white"
	require.Equal(t, "white", read().Labels["color"], "each reader sees a color that no server knows")
	now, err := f.maps.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, "red", now.Labels["color"])

	now.Data = map[string]string{"cups": "1"}
	_, err = f.maps.Update(t.Context(), now, metav1.UpdateOptions{})
	require.NoError(t, err)
	handler.expect(t, "update a") // the first since "add a": nobody was told of the colors
	require.Equal(t, "red", read().Labels["color"], "the next version takes the place of the whole object")
}

// TestALyingIndex: an object whose indexed field is changed in place keeps the entry that it had. What the index should
// forget is computed from the object as it is now, so that the old entry outlives an update and the deletion, and is of
// nil from then on. A Replace builds the indexes anew.
//
// covers: S2-05 S1-06
func TestALyingIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, new newStore) {
		s := new(cache.Indexers{"color": byColor})
		under := func(color string) []any {
			list, err := s.ByIndex("color", color)
			require.NoError(t, err)
			return list
		}
		object := colored("default", "a", "red")
		require.NoError(t, s.Add(object))
		object.Labels["color"] = "blue"
		require.Empty(t, under("blue"), "no index hears of a change in place")
		require.Equal(t, "blue", under("red")[0].(*corev1.ConfigMap).Labels["color"])

		require.NoError(t, s.Update(colored("default", "a", "green")))
		require.Len(t, under("green"), 1)
		require.Len(t, under("red"), 1, "and none is taken from where it does not seem to be")
		require.NoError(t, s.Delete(object))
		require.Equal(t, []any{nil}, under("red"), "an object that is gone")
		require.Equal(t, []string{"red"}, s.ListIndexFuncValues("color"))
		require.NoError(t, s.Replace(nil, "9"))
		require.Empty(t, under("red"))
	})
}

// TestHandlersGetTheStoresObjects: an informer's handlers get no copy. What one of them writes, each reader of the
// store has.
//
// covers: S2-05
func TestHandlersGetTheStoresObjects(t *testing.T) {
	f := setup(t)
	f.create(t, "a", "red")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	given := make(chan any, 1)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { given <- o }})
	require.NoError(t, err)
	run(t, factory)
	select {
	case object := <-given:
		require.Same(t, informer.GetStore().List()[0], object)
	case <-time.After(patience):
		t.Fatal("the handler was told of nothing")
	}
}

// TestAListerMeetsNil: the index of namespaces is one like any other. A lister that is given nil by it panics far from
// whoever wrote to the object.
//
// covers: S2-05
func TestAListerMeetsNil(t *testing.T) {
	onBoth(t, func(t *testing.T, new newStore) {
		s := new(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		object := colored("tea", "a", "red")
		require.NoError(t, s.Add(object))
		object.Namespace = "milk"
		require.NoError(t, s.Delete(colored("tea", "a", "red")))
		lister := corelisters.NewConfigMapLister(s).ConfigMaps("tea")
		require.PanicsWithError(t, "interface conversion: interface {} is nil, not *v1.ConfigMap",
			func() { _, _ = lister.List(labels.Everything()) })
		_, err := lister.List(labels.SelectorFromSet(labels.Set{"color": "red"}))
		require.EqualError(t, err, "object does not implement the Object interfaces", "and with a selector it fails")
	})
}
