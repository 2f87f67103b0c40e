package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// A client reads one object by its key, or several by namespace, labels and fields. By a field that is no index it
// reads nothing.
//
// covers: S0-30
func TestReadsOfAClient(t *testing.T) {
	s := newSite(t, nil)
	require.NoError(t, s.manager.GetFieldIndexer().IndexField(t.Context(), &corev1.ConfigMap{}, "color",
		func(o client.Object) []string { return []string{o.GetAnnotations()["color"]} }))
	s.start()
	red := s.configMap("red", map[string]string{"run": s.Namespace})
	red.Annotations = map[string]string{"color": "red"}
	require.NoError(t, s.user.Update(t.Context(), red))
	s.configMap("blue", nil)
	over := s.manager.GetClient()
	require.Eventually(t, func() bool {
		var m corev1.ConfigMap
		return over.Get(t.Context(), client.ObjectKeyFromObject(red), &m) == nil && m.Annotations["color"] == "red"
	}, within, tick)
	for _, by := range []client.ListOption{client.MatchingLabels{"run": s.Namespace},
		client.MatchingFields{"color": "red"}} {
		var all corev1.ConfigMapList
		require.NoError(t, over.List(t.Context(), &all, client.InNamespace(s.Namespace), by))
		require.Len(t, all.Items, 1)
		require.Equal(t, "red", all.Items[0].Name)
	}
	var all corev1.ConfigMapList
	require.ErrorContains(t, over.List(t.Context(), &all, client.MatchingFields{"size": "1"}),
		"Index with name field:size does not exist")
}

// client-go's factory and a manager's cache know nothing of each other: who uses both watches twice, and has two copies
// of all, of which one may be ahead of the other.
//
// covers: S0-37
func TestTwoCachesWatchTwice(t *testing.T) {
	s := newSite(t, nil)
	s.start()
	var m corev1.ConfigMap
	require.Error(t, s.manager.GetClient().Get(t.Context(), client.ObjectKey{Namespace: s.Namespace, Name: "none"}, &m))
	require.Contains(t, s.asked(), "GET configmaps, a watch")
	set, err := kubernetes.NewForConfigAndClient(s.manager.GetConfig(), s.manager.GetHTTPClient())
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactory(set, 0)
	synced := factory.Core().V1().ConfigMaps().Informer().HasSynced
	stop := make(chan struct{})
	factory.Start(stop)
	require.Eventually(t, synced, within, tick)
	require.Contains(t, s.asked(), "GET configmaps, a watch", "a second one of the same objects")
	close(stop)
	factory.Shutdown()
}

// "Is there one?", asked of a manager's client with Limit(1), begins a watch of all of the kind in all namespaces, and
// keeps their metadata. The limit is the cache's own: it stops counting. Asked with the APIReader it is one request
// with one object in its answer. Each form, Go structs, metadata and nested maps, is a cache of its own.
//
// covers: B-76 S0-38
func TestIsThereOne(t *testing.T) {
	s := newSite(t, func(o *manager.Options) {
		o.Client.Cache = &client.CacheOptions{Unstructured: true}
	})
	s.start()
	s.configMap("one", nil)
	s.configMap("two", nil)
	_, err := s.manager.GetRESTMapper().RESTMapping(corev1.SchemeGroupVersion.WithKind("ConfigMap").GroupKind())
	require.NoError(t, err) // which asks for the kinds that there are
	s.asked()
	metadata := func() *metav1.PartialObjectMetadataList {
		all := &metav1.PartialObjectMetadataList{}
		all.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
		return all
	}
	all := metadata()
	err = s.manager.GetAPIReader().List(t.Context(), all, client.InNamespace(s.Namespace), client.Limit(1))
	require.NoError(t, err)
	require.Len(t, all.Items, 1)
	require.NotEmpty(t, all.Continue)
	require.Equal(t, []string{"GET configmaps, metadata only"}, s.asked())

	all = metadata()
	require.NoError(t, s.manager.GetClient().List(t.Context(), all, client.InNamespace(s.Namespace), client.Limit(1)))
	require.Len(t, all.Items, 1)
	require.Equal(t, "continue-not-supported", all.Continue)
	require.Contains(t, s.asked(), "GET configmaps, a watch, metadata only")
	elsewhere := metadata()
	require.NoError(t, s.manager.GetClient().List(t.Context(), elsewhere))
	require.Greater(t, len(elsewhere.Items), 2, "it has those of other namespaces")

	require.NoError(t, s.manager.GetClient().List(t.Context(), &corev1.ConfigMapList{}, client.Limit(1)))
	require.Contains(t, s.asked(), "GET configmaps, a watch")
	loose := &unstructured.UnstructuredList{}
	loose.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	require.NoError(t, s.manager.GetClient().List(t.Context(), loose, client.Limit(1)))
	require.Contains(t, s.asked(), "GET configmaps, a watch", "a third one of the same objects")
}

// Nested maps are cached by a client that is told to. Any other one asks the API server for them, each time.
//
// covers: B-76
func TestNestedMapsAreAskedFor(t *testing.T) {
	s := newSite(t, nil)
	s.start()
	s.configMap("one", nil)
	loose := func() *unstructured.UnstructuredList {
		all := &unstructured.UnstructuredList{}
		all.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
		return all
	}
	require.NoError(t, s.manager.GetClient().List(t.Context(), loose(), client.InNamespace(s.Namespace)))
	s.asked() // the kinds that there are were asked for, too
	for range 2 {
		all := loose()
		require.NoError(t, s.manager.GetClient().List(t.Context(), all, client.InNamespace(s.Namespace)))
		require.NotEmpty(t, all.Items)
		require.Equal(t, []string{"GET configmaps"}, s.asked())
	}
}

// A cache can refuse the read that would begin a watch.
//
// covers: S0-30
func TestAReadThatWouldBeginAWatch(t *testing.T) {
	s := newSite(t, func(o *manager.Options) { o.Cache.ReaderFailOnMissingInformer = true })
	s.start()
	one := s.configMap("one", nil)
	key := client.ObjectKeyFromObject(one)
	err := s.manager.GetClient().Get(t.Context(), key, &corev1.ConfigMap{})
	var notCached *cache.ErrResourceNotCached
	require.ErrorAs(t, err, &notCached)
	_, err = s.manager.GetCache().GetInformer(t.Context(), &corev1.ConfigMap{})
	require.NoError(t, err)
	require.NoError(t, s.manager.GetClient().Get(t.Context(), key, &corev1.ConfigMap{}))
}
