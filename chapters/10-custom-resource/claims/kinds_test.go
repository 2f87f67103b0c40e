package claims

import (
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	selectors "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// noted is a transport that keeps what passes: "GET /api/v1/nodes".
type noted struct {
	next  http.RoundTripper
	mutex sync.Mutex // guards what is below it
	all   []string
}

func (n *noted) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mutex.Lock()
	n.all = append(n.all, r.Method+" "+r.URL.Path)
	n.mutex.Unlock()
	return n.next.RoundTrip(r)
}

// taken is what passed since it was asked last.
func (n *noted) taken() []string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	all := n.all
	n.all = nil
	return all
}

// clientset makes client-go's clients, and notes what they send.
func (s *stage) clientset() (*noted, kubernetes.Interface) {
	s.t.Helper()
	passing := &noted{next: s.HTTPClient().Transport}
	set, err := kubernetes.NewForConfigAndClient(kube.RESTConfig(s.t, s.Cluster.Cluster),
		&http.Client{Transport: passing})
	require.NoError(s.t, err)
	return passing, set
}

// Each typed client of the clientset is one resource: a Go type, a path, and one request for each method. What the
// generator has not seen is not in it, whatever the server serves.
//
// covers: S0-20
func TestATypedClientIsOneResource(t *testing.T) {
	s := newStage(t)
	passing, set := s.clientset()
	ctx, maps := t.Context(), set.CoreV1().ConfigMaps(s.Namespace)
	require.Empty(t, passing.taken(), "it is made of nothing but names")

	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	made.Data = map[string]string{"cups": "1"}
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	require.NoError(t, err)
	got, err := maps.Get(ctx, "a", metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, made.Data, got.Data)
	require.NoError(t, maps.Delete(ctx, "a", metav1.DeleteOptions{}))
	path := "/api/v1/namespaces/" + s.Namespace + "/configmaps"
	require.Equal(t, []string{"POST " + path, "PUT " + path + "/a", "GET " + path + "/a", "DELETE " + path + "/a"},
		passing.taken())

	groups := reflect.TypeFor[kubernetes.Interface]()
	for i := range groups.NumMethod() {
		require.NotContains(t, strings.ToLower(groups.Method(i).Name), "scratch")
	}
	require.Equal(t, http.StatusOK, s.ask(http.MethodGet, s.path("processes"), nil).Code, "and it is served")
}

// Two things are called lister. tools/cache.Lister asks the API server, and with Watcher it is what a reflector stands
// on. The listers of k8s.io/client-go/listers read a cache, and know nothing of a server: empty, they find nothing.
//
// covers: S0-21 B-99
func TestTwoThingsAreCalledLister(t *testing.T) {
	s := newStage(t)
	passing, set := s.clientset()
	made, err := set.CoreV1().ConfigMaps(s.Namespace).Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"mine": "true"}}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	passing.taken()

	var source cache.ListerWatcherWithContext = cache.NewFilteredListWatchFromClient(set.CoreV1().RESTClient(),
		"configmaps", s.Namespace, func(o *metav1.ListOptions) { o.LabelSelector = "mine" })
	asked, err := source.ListWithContext(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, asked.(*corev1.ConfigMapList).Items, 1)
	stream, err := source.WatchWithContext(t.Context(), metav1.ListOptions{
		ResourceVersion: asked.(*corev1.ConfigMapList).ResourceVersion})
	require.NoError(t, err)
	stream.Stop()
	path := "GET /api/v1/namespaces/" + s.Namespace + "/configmaps"
	require.Equal(t, []string{path, path}, passing.taken())

	kept := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	var reader corelisters.ConfigMapLister = corelisters.NewConfigMapLister(kept)
	found, err := reader.List(selectors.Everything())
	require.NoError(t, err)
	require.Empty(t, found, "although the server has one")
	require.NoError(t, kept.Add(made))
	found, err = reader.List(selectors.Everything())
	require.NoError(t, err)
	require.Same(t, made, found[0])
	require.Empty(t, passing.taken())
}

// onBothSchemes runs a test on this chapter's scheme and on upstream's, which know the book's kinds.
func onBothSchemes(t *testing.T, test func(t *testing.T, known schemeOf)) {
	t.Helper()
	t.Run("ours", func(t *testing.T) { test(t, known(withStatus)) })
	t.Run("upstream", func(t *testing.T) {
		upstreams := runtime.NewScheme()
		require.NoError(t, v1alpha1.AddToScheme(upstreams))
		test(t, upstreams)
	})
}

// A scheme is the table between the words apiVersion and kind and a Go type. A decoder finds the type for the words,
// and fails without; an encoder finds the words for the type, and leaves them out without. An unstructured object has
// them in it, and needs no scheme.
//
// covers: S0-24
func TestASchemeIsBetweenWordsAndTypes(t *testing.T) {
	const text = `{"apiVersion":"scratch.example.com/v1alpha1","kind":"Process","metadata":{"name":"a"},` +
		`"spec":{"command":"sleep"}}`
	onBothSchemes(t, func(t *testing.T, known schemeOf) {
		c := codecs{known}
		object, kind, err := c.serializer().Decode([]byte(text), nil, nil)
		require.NoError(t, err)
		require.Equal(t, v1alpha1.GroupVersion.WithKind("Process"), *kind)
		require.Equal(t, "sleep", object.(*v1alpha1.Process).Spec.Command)
		written, err := runtime.Encode(c.EncoderForVersion(c.serializer(), v1alpha1.GroupVersion), sleeper("a"))
		require.NoError(t, err)
		require.Contains(t, string(written), `"apiVersion":"scratch.example.com/v1alpha1"`)
		require.Contains(t, string(written), `"kind":"Process"`)
		bare, err := runtime.Encode(c.serializer(), sleeper("a"))
		require.NoError(t, err)
		require.NotContains(t, string(bare), "kind", "who does not ask the scheme writes no words")
	})
	for name, empty := range map[string]schemeOf{"ours": scheme.New(), "upstream": runtime.NewScheme()} {
		c := codecs{empty}
		_, _, err := c.serializer().Decode([]byte(text), nil, nil)
		require.True(t, runtime.IsNotRegisteredError(err), "%s: %v", name, err)
		require.ErrorContains(t, err, `no kind "Process" is registered for version "scratch.example.com/v1alpha1"`)
		written, err := runtime.Encode(c.EncoderForVersion(c.serializer(), v1alpha1.GroupVersion), sleeper("a"))
		require.NoError(t, err, "an encoder says nothing")
		require.NotContains(t, string(written), "kind", "and leaves the words out, so that the server refuses it")
		_, _, err = c.serializer().Decode([]byte(text), nil, &unstructured.Unstructured{})
		require.NoError(t, err, "an unstructured object has the words in it")
	}
}

// runtime.Object has two methods, which every type of client-go's scheme has: GetObjectKind, the words of TypeMeta,
// which are empty in what a typed client returns and which a scheme fills in; and DeepCopyObject, whose result shares
// nothing with the object.
//
// covers: S1-09
func TestARuntimeObjectHasTwoMethods(t *testing.T) {
	contract := reflect.TypeFor[runtime.Object]()
	require.Equal(t, 2, contract.NumMethod())
	require.Equal(t, []string{"DeepCopyObject", "GetObjectKind"},
		[]string{contract.Method(0).Name, contract.Method(1).Name})
	for kind, goType := range clientscheme.Scheme.AllKnownTypes() {
		object := reflect.New(goType).Interface().(runtime.Object)
		if _, inList := goType.FieldByName("TypeMeta"); inList {
			object.GetObjectKind().SetGroupVersionKind(kind)
			require.Equal(t, kind, object.GetObjectKind().GroupVersionKind())
		}
		clone := object.DeepCopyObject()
		require.IsType(t, object, clone)
		require.NotSame(t, object, clone)
		require.Equal(t, object, clone, kind)
	}

	s := newStage(t)
	_, set := s.clientset()
	made, err := set.CoreV1().ConfigMaps(s.Namespace).Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"of": "a"}}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	require.Empty(t, made.GetObjectKind().GroupVersionKind())
	kinds, _, err := clientscheme.Scheme.ObjectKinds(made)
	require.NoError(t, err)
	require.Equal(t, []schema.GroupVersionKind{{Version: "v1", Kind: "ConfigMap"}}, kinds)

	shallow, deep := *made, made.DeepCopyObject().(*corev1.ConfigMap)
	made.Labels["of"] = "b"
	require.Equal(t, "b", shallow.Labels["of"], "an assignment copies the map's address")
	require.Equal(t, "a", deep.Labels["of"])
}

// requireSameError compares what two mappers say of what they do not find.
func requireSameError(t *testing.T, want, got error, what ...any) {
	t.Helper()
	require.Equal(t, want == nil, got == nil, what...)
	require.Equal(t, meta.IsNoMatchError(want), meta.IsNoMatchError(got), what...)
	require.Equal(t, meta.IsAmbiguousError(want), meta.IsAmbiguousError(got), what...)
	if meta.IsNoMatchError(want) {
		require.Equal(t, want.Error(), got.Error(), what...)
	}
}
