package routing_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// pair is upstream's cache and ours over one informer of ConfigMaps, whose objects the test puts in itself.
type pair struct {
	informer     toolscache.SharedIndexInformer
	ours, theirs reader
}

type reader interface {
	client.Reader
	client.FieldIndexer
}

// newPair starts a cache. Its informer lists nothing, and its watch says nothing.
func newPair(t testing.TB) *pair {
	t.Helper()
	p := &pair{}
	silent := &toolscache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			return &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
		},
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			return watch.NewFake(), nil
		},
	}
	theirs, err := cache.New(&rest.Config{}, cache.Options{Scheme: known(), Mapper: served(),
		NewInformer: func(_ toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers toolscache.Indexers) toolscache.SharedIndexInformer {
			from := toolscache.ToListWatcherWithWatchListSemantics(silent, noWatchList{})
			p.informer = toolscache.NewSharedIndexInformer(from, example, resync, indexers)
			return p.informer
		}})
	require.NoError(t, err)
	_, err = theirs.GetInformer(t.Context(), &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
	require.NoError(t, err)
	p.theirs, p.ours = theirs, routing.NewIndexed(p.informer, corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	for field, values := range fieldsOf {
		require.NoError(t, p.ours.IndexField(t.Context(), &corev1.ConfigMap{}, field, values))
		require.NoError(t, p.theirs.IndexField(t.Context(), &corev1.ConfigMap{}, field, values))
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- theirs.Start(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
	require.True(t, theirs.WaitForCacheSync(t.Context()))
	return p
}

// noWatchList says that a source can't send its list as a watch.
type noWatchList struct{}

// IsWatchListSemanticsUnSupported is what a reflector looks for.
func (noWatchList) IsWatchListSemanticsUnSupported() bool { return true }

// fieldsOf are what is indexed: many values, one at most, and none ever.
var fieldsOf = map[string]client.IndexerFunc{
	"names": func(o client.Object) (values []string) {
		for name := range o.(*corev1.ConfigMap).Data {
			values = append(values, name, name) // twice: it is a set
		}
		return values
	},
	"first": func(o client.Object) []string {
		if value, ok := o.(*corev1.ConfigMap).Data["black"]; ok {
			return []string{value}
		}
		return nil
	},
	"nothing": func(client.Object) []string { return nil },
}

// names draws from what fields, values and labels are called. One has a slash: it is in a key, too.
func names() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"black", "green", "a/black", ""})
}

func namespaces() *rapid.Generator[string] { return rapid.SampledFrom([]string{"a", "b"}) }

// change puts, changes or removes an object.
func (p *pair) change(t *rapid.T) {
	o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespaces().Draw(t, "namespace"),
		Name:   rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "name"),
		Labels: map[string]string{"color": names().Draw(t, "label")}},
		Data: rapid.MapOfN(names(), names(), 0, 3).Draw(t, "data")}
	if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
		require.NoError(t, p.informer.GetIndexer().Delete(o))
		return
	}
	require.NoError(t, p.informer.GetIndexer().Update(o))
}

// question draws what a list is asked for.
func question(t *rapid.T) (options []client.ListOption) {
	if rapid.Bool().Draw(t, "in a namespace") {
		options = append(options, client.InNamespace(namespaces().Draw(t, "asked namespace")))
	}
	field := rapid.SampledFrom([]string{"names", "first", "nothing", "names", "unindexed"})
	switch rapid.IntRange(0, 5).Draw(t, "fields") {
	case 0:
		options = append(options, client.MatchingFields{})
	case 1:
		options = append(options, client.MatchingFieldsSelector{
			Selector: fields.OneTermNotEqualSelector(field.Draw(t, "not field"), names().Draw(t, "not value"))})
	case 2, 3:
		options = append(options, client.MatchingFields(
			rapid.MapOfN(field, names(), 1, 2).Draw(t, "asked fields")))
	}
	if rapid.Bool().Draw(t, "labels") {
		options = append(options, client.MatchingLabels{"color": names().Draw(t, "asked label")})
	}
	if rapid.Bool().Draw(t, "no copy") {
		options = append(options, client.UnsafeDisableDeepCopy)
	}
	if rapid.IntRange(0, 5).Draw(t, "goes on") == 0 {
		options = append(options, client.Continue("there"))
	}
	return options
}

// answer is a list in the order of the keys.
func answer(ctx context.Context, by client.Reader, options []client.ListOption) ([]corev1.ConfigMap, error) {
	var list corev1.ConfigMapList
	err := by.List(ctx, &list, options...)
	slices.SortFunc(list.Items, func(a, b corev1.ConfigMap) int {
		return slices.Compare([]string{a.Namespace, a.Name}, []string{b.Namespace, b.Name})
	})
	return list.Items, err
}

// Whatever was written and whatever is asked, the answer is that of a manager's cache: the same objects, or an error.
func TestIndexedAsUpstreamsCache(t *testing.T) {
	p := newPair(t)
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(0, 10).Draw(t, "changes") {
			p.change(t)
		}
		options := question(t)
		theirs, failed := answer(t.Context(), p.theirs, options)
		ours, err := answer(t.Context(), p.ours, options)
		if failed == nil && err != nil && len(theirs) == 0 && asksFor(options, "unindexed") {
			return // see TestASecondFieldWithoutAnIndex
		}
		require.Equal(t, failed == nil, err == nil, "%v, and upstream: %v", err, failed)
		require.Equal(t, theirs, ours)
		limit := rapid.IntRange(1, 3).Draw(t, "limit")
		limited, err := answer(t.Context(), p.ours, append(options, client.Limit(limit)))
		require.Equal(t, failed == nil, err == nil)
		require.Len(t, limited, min(limit, len(theirs)))
	})
}

func asksFor(options []client.ListOption, field string) bool {
	o := (&client.ListOptions{}).ApplyOptions(options)
	if o.FieldSelector == nil {
		return false
	}
	_, asks := o.FieldSelector.RequiresExactMatch(field)
	return asks
}

func TestGetAsUpstreamsCache(t *testing.T) {
	p := newPair(t)
	require.NoError(t, p.informer.GetIndexer().Add(cup("1", "black")))
	for _, name := range []string{"cup", "saucer"} {
		var ours, theirs corev1.ConfigMap
		err := p.ours.Get(t.Context(), key(name).NamespacedName, &ours)
		failed := p.theirs.Get(t.Context(), key(name).NamespacedName, &theirs)
		require.Equal(t, failed, err)
		require.Equal(t, theirs, ours)
		require.Equal(t, name == "saucer", apierrors.IsNotFound(err))
	}
	require.Error(t, p.ours.Get(t.Context(), key("cup").NamespacedName, &corev1.Secret{}))
}

// What is handed out is a copy, unless it is asked for as it is.
func TestWhatIsHandedOut(t *testing.T) {
	p := newPair(t)
	kept := cup("1", "black")
	require.NoError(t, p.informer.GetIndexer().Add(kept))
	list := corev1.ConfigMapList{}
	require.NoError(t, p.ours.List(t.Context(), &list, client.MatchingFields{"names": "black"}))
	list.Items[0].Data["black"] = "changed"
	require.Equal(t, "is named", kept.Data["black"])
	require.NoError(t, p.ours.List(t.Context(), &list, client.MatchingFields{"names": "black"},
		client.UnsafeDisableDeepCopy))
	list.Items[0].Data["black"] = "changed"
	require.Equal(t, "changed", kept.Data["black"])
}

func TestOneIndexAField(t *testing.T) {
	p := newPair(t)
	require.Error(t, p.ours.IndexField(t.Context(), &corev1.ConfigMap{}, "names", fieldsOf["names"]))
	require.Error(t, p.theirs.IndexField(t.Context(), &corev1.ConfigMap{}, "names", fieldsOf["names"]))
}

// An index is a matter of values that are known: nothing finds what has none. And upstream says of a field without an
// index only when it comes to it.
func TestASecondFieldWithoutAnIndex(t *testing.T) {
	p := newPair(t)
	both := client.MatchingFieldsSelector{Selector: fields.AndSelectors(fields.OneTermEqualSelector("names", "black"),
		fields.OneTermEqualSelector("unindexed", "black"))} // client.MatchingFields is a map, and has them in any order
	_, err := answer(t.Context(), p.ours, []client.ListOption{both})
	require.ErrorContains(t, err, "the field unindexed has no index")
	none, err := answer(t.Context(), p.theirs, []client.ListOption{both})
	require.NoError(t, err, "there is no object under the first")
	require.Empty(t, none)
	require.NoError(t, p.informer.GetIndexer().Add(cup("1", "black")))
	_, err = answer(t.Context(), p.theirs, []client.ListOption{both})
	require.ErrorContains(t, err, "unindexed does not exist")
}

// An informer that runs takes an index, and has its objects in it when AddIndexers returns.
func TestAnIndexThatComesLate(t *testing.T) {
	p := newPair(t)
	for i := range 10 {
		o := cup("1", fmt.Sprint(i%2))
		o.Name = fmt.Sprint(i)
		require.NoError(t, p.informer.GetIndexer().Add(o))
	}
	require.NoError(t, p.ours.IndexField(t.Context(), nil, "late", fieldsOf["names"]))
	found, err := answer(t.Context(), p.ours, []client.ListOption{client.MatchingFields{"late": "1"}})
	require.NoError(t, err)
	require.Len(t, found, 5)
	none := client.MatchingLabelsSelector{Selector: labels.Nothing()}
	found, err = answer(t.Context(), p.ours, []client.ListOption{none})
	require.NoError(t, err)
	require.Empty(t, found)
}
