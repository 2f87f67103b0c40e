package claims

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
)

// counted is a selector that counts the objects that it is asked about.
type counted struct {
	labels.Selector
	asked int
}

func (c *counted) Matches(l labels.Labels) bool {
	c.asked++
	return c.Selector.Matches(l)
}

// scanned is an indexer that counts who goes through all of it.
type scanned struct {
	cache.Indexer
	lists int
}

func (s *scanned) List() []any {
	s.lists++
	return s.Indexer.List()
}

// red selects by the label that colored gives.
func red() *counted { return &counted{Selector: labels.SelectorFromSet(labels.Set{"color": "red"})} }

// TestALabelSelectorScans: an informer's indexer has no index of labels. It has one of namespaces, if it comes from a
// factory, and a lister with a selector looks at each object that is left. An index of one's own looks at none.
//
// covers: B-53
func TestALabelSelectorScans(t *testing.T) {
	f := setup(t)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		f.create(t, name, map[bool]string{true: "red", false: "blue"}[name == "c"])
	}
	factory := f.factory()
	informer, lister := factory.Core().V1().ConfigMaps().Informer(), factory.Core().V1().ConfigMaps().Lister()
	run(t, factory)
	require.Len(t, informer.GetIndexer().GetIndexers(), 1)
	require.Contains(t, informer.GetIndexer().GetIndexers(), cache.NamespaceIndex)
	for _, expected := range []string{"labels", "name", "color"} {
		_, err := informer.GetIndexer().ByIndex(expected, "red")
		require.EqualError(t, err, "Index with name "+expected+" does not exist")
	}

	selector := red()
	list, err := lister.List(selector)
	require.NoError(t, err)
	require.Equal(t, []string{"c"}, namesOf(list))
	require.Equal(t, 5, selector.asked, "one was found, and all were looked at")

	require.NoError(t, informer.AddIndexers(cache.Indexers{"color": byColor}))
	indexed, err := informer.GetIndexer().ByIndex("color", "red")
	require.NoError(t, err)
	require.Equal(t, []string{"c"}, namesOf(indexed))
}

// TestTheNamespaceIndexNarrowsTheScan: with a namespace, a lister looks at the objects of that namespace. Without the
// index it finds the same, goes through all of them itself, and logs a warning.
//
// covers: B-53
func TestTheNamespaceIndexNarrowsTheScan(t *testing.T) {
	onBoth(t, func(t *testing.T, new newStore) {
		byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		for _, indexers := range []cache.Indexers{byNamespace, nil} {
			s := new(indexers)
			require.NoError(t, s.Replace([]any{colored("tea", "a", "red"), colored("tea", "b", "blue"),
				colored("milk", "a", "red"), colored("milk", "b", "red"), colored("milk", "c", "blue")}, "1"))
			selector, scans := red(), &scanned{Indexer: s}
			list, err := corelisters.NewConfigMapLister(scans).ConfigMaps("tea").List(selector)
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, namesOf(list))
			require.Equal(t, 2, selector.asked, "the selector is asked of the namespace's objects alone")
			require.Equal(t, indexers == nil, scans.lists == 1, "who has no index goes through all objects for them")
		}
	})
}

// TestGetNeedsTheNamespace: a lister of a kind with namespaces has no Get. Where a lister has one, as the untyped ones
// do, a name alone is the key of nothing.
//
// covers: B-54
func TestGetNeedsTheNamespace(t *testing.T) {
	_, has := reflect.TypeFor[appslisters.DeploymentLister]().MethodByName("Get")
	require.False(t, has, `deploymentLister.Get("my-deployment") does not compile`)
	_, has = reflect.TypeFor[corelisters.NodeLister]().MethodByName("Get")
	require.True(t, has, "a kind without namespaces")

	f := setup(t)
	label := map[string]string{"app": "my"}
	_, err := f.set.AppsV1().Deployments(f.Namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "my-deployment"},
		Spec: appsv1.DeploymentSpec{Replicas: ptr.To(int32(0)), Selector: &metav1.LabelSelector{MatchLabels: label},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: label},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "none"}}}}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	factory := f.factory()
	typed := factory.Apps().V1().Deployments().Lister()
	generic, err := factory.ForResource(appsv1.SchemeGroupVersion.WithResource("deployments"))
	require.NoError(t, err)
	run(t, factory)

	found, err := typed.Deployments(f.Namespace).Get("my-deployment")
	require.NoError(t, err)
	require.Equal(t, "my-deployment", found.Name)
	_, err = generic.Lister().Get("my-deployment")
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	_, err = generic.Lister().Get(f.Namespace + "/my-deployment")
	require.NoError(t, err, "its Get takes the key")
	_, err = generic.Lister().ByNamespace(f.Namespace).Get("my-deployment")
	require.NoError(t, err)
	_, exists, err := generic.Informer().GetStore().GetByKey("my-deployment")
	require.NoError(t, err)
	require.False(t, exists)
}

// TestLabelsAndIndexes: a label has one value, is on the server, and selects there. An index is in this program alone:
// an object may have many values in it, or none, and the server knows nothing of that.
//
// covers: S0-31
func TestLabelsAndIndexes(t *testing.T) {
	f := setup(t)
	twoValues := colored(f.Namespace, "b", "red,green")
	twoValues.ResourceVersion = ""
	_, err := f.maps.Create(t.Context(), twoValues, metav1.CreateOptions{})
	require.True(t, apierrors.IsInvalid(err), "a label has one value: %v", err)

	made, err := f.maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Data: map[string]string{"colors": "red green"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	require.NoError(t, informer.AddIndexers(cache.Indexers{"color": func(object any) ([]string, error) {
		return strings.Fields(object.(*corev1.ConfigMap).Data["colors"]), nil
	}}))
	run(t, factory)
	for color, want := range map[string][]string{"red": {"a"}, "green": {"a"}, "blue": {}} {
		list, err := informer.GetIndexer().ByIndex("color", color)
		require.NoError(t, err)
		require.Equal(t, want, namesOf(list), color)
	}
	list, err := f.maps.List(t.Context(), metav1.ListOptions{LabelSelector: "color=red"})
	require.NoError(t, err)
	require.Empty(t, list.Items, "the server finds by labels")
	now, err := f.maps.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	require.Equal(t, made, now, "nothing was stored")
}

// TestTypedWrappers: handlers, index functions and the reads of an indexer have types since client-go 0.37, and a
// workqueue's key may be a struct. Below that wrapper the store takes anything, and a wrapper of the wrong type says so
// when it is read.
//
// covers: B-58
func TestTypedWrappers(t *testing.T) {
	f := setup(t)
	f.create(t, "a", "red")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().TypedInformer()
	queue := workqueue.NewTyped[cache.ObjectName]()
	defer queue.ShutDown()
	_, err := informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*corev1.ConfigMap]{
		AddFunc: func(made *corev1.ConfigMap) { queue.Add(cache.MetaObjectToName(made)) },
	})
	require.NoError(t, err)
	require.NoError(t, informer.AddTypedIndexers(cache.TypedIndexers[*corev1.ConfigMap]{
		"color": func(c *corev1.ConfigMap) ([]string, error) { return []string{c.Labels["color"]}, nil }}))
	run(t, factory)
	key, _ := queue.Get()
	require.Equal(t, cache.ObjectName{Namespace: f.Namespace, Name: "a"}, key)
	queue.Done(key)
	list, err := informer.GetTypedIndexer().ByTypedIndex("color", "red")
	require.NoError(t, err)
	require.Equal(t, "a", list[0].Name, "without a type assertion")

	// The wrapper is of any type that one likes, and finds out late.
	secrets := cache.NewTypedSharedIndexInformer[*corev1.Secret](informer).GetTypedIndexer()
	require.PanicsWithError(t, "interface conversion: interface {} is *v1.ConfigMap, not *v1.Secret",
		func() { _, _ = secrets.ByTypedIndex("color", "red") })
	onBoth(t, func(t *testing.T, new newStore) {
		s := new(nil)
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "b", Namespace: f.Namespace}}
		require.NoError(t, s.Add(secret), "a store takes anything that has a name")
		require.PanicsWithError(t, "interface conversion: interface {} is *v1.Secret, not *v1.ConfigMap",
			func() { _, _ = corelisters.NewConfigMapLister(s).ConfigMaps(f.Namespace).Get("b") })
	})
}
