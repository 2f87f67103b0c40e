package claims

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A typed handler is told of a deletion by a DeletedObject, which answers for its name and key in each case: with the
// object's last state, with an older one, or with none. An untyped handler has to look for a tombstone itself.
//
// covers: B-102 C-42 C-41
func TestATypedHandlerUnwrapsNoTombstone(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"), cm("b", "2"))
		typed := cache.NewTypedSharedIndexInformer[*corev1.ConfigMap](i)
		i.add(t, cache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) { i.note("untyped %T", o) }})
		_, err := typed.AddTypedEventHandler(coreinformers.ConfigMapHandlerFuncs{
			DeleteFunc: func(d coreinformers.DeletedConfigMap) {
				i.note("typed %s %s %s, version %s, known: %t", d.GetKey(), d.GetObjectName(), klog.KObj(d),
					d.OptionalObj.ResourceVersion, d.FinalStateUnknown == nil)
			},
		})
		require.NoError(t, err)
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Delete(cm("a", "11"))
		require.ElementsMatch(t, []string{"untyped *v1.ConfigMap", "typed d/a d/a d/a, version 11, known: true"},
			i.new())
		i.relist()
		told := i.new()
		require.NotContains(t, told, "untyped *v1.ConfigMap", "what is gone would have been the belief")
		require.ElementsMatch(t, []string{"untyped cache.DeletedFinalStateUnknown",
			"typed d/b d/b d/b, version 2, known: false"}, told)
	})
}

// A tombstone may have no object. A typed handler can still ask for its key; a typed filter is called with nil, and has
// to bear that.
//
// covers: B-102 C-42
func TestATombstoneWithoutAnObject(t *testing.T) {
	tombstone := &cache.DeletedFinalStateUnknown{Key: "d/x"}
	gone := cache.DeletedObject[*corev1.ConfigMap]{FinalStateUnknown: tombstone}
	require.Equal(t, "d/x", gone.GetKey())
	require.Equal(t, "x", gone.GetName())
	require.Equal(t, "d", gone.GetNamespace())
	require.Nil(t, gone.OptionalObj)
	filter := coreinformers.ConfigMapFilteringHandler{Handler: coreinformers.ConfigMapHandlerFuncs{},
		FilterFunc: func(c *corev1.ConfigMap) bool { return c.Name == "x" }}
	require.Panics(t, func() { filter.OnDelete(gone) })
}

// The typed informer is a wrapper: the informer in it, its store and its registrations are the same. It refuses more
// than one HandlerOptions, and whether its type is right is not looked at before an object comes.
//
// covers: C-41
func TestATypedInformerIsAWrapper(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		typed := cache.NewTypedSharedIndexInformer[*corev1.ConfigMap](i)
		require.Same(t, i.GetIndexer(), typed.GetIndexer())
		_, err := typed.AddTypedEventHandler(coreinformers.ConfigMapHandlerFuncs{},
			cache.HandlerOptions{}, cache.HandlerOptions{})
		require.EqualError(t, err, "at most one HandlerOptions may be passed, got 2")
		registration, err := typed.AddTypedEventHandler(coreinformers.ConfigMapDetailedHandlerFuncs{
			AddFunc: func(c *corev1.ConfigMap, isInInitialList bool) { i.note("add %s", c.Name) }})
		require.NoError(t, err)
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		require.Equal(t, []string{"add a"}, i.new())
		require.NoError(t, i.RemoveEventHandler(registration))
		i.live().Add(cm("b", "12"))
		require.Empty(t, i.new())

		secrets := cache.NewTypedSharedIndexInformer[*corev1.Secret](i).GetTypedIndexer()
		require.NoError(t, i.AddIndexers(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}))
		require.Panics(t, func() { _, _ = secrets.ByTypedIndex(cache.NamespaceIndex, "d") })
		synctest.Wait()
	})
}
