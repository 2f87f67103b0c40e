package claims

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// strip forgets which manager set which field: often half of an object's bytes, which few readers need.
func strip(object any) (any, error) {
	if o, ok := object.(metav1.Object); ok {
		o.SetManagedFields(nil)
	}
	return object, nil
}

// tally is a transformer that is not idempotent: it adds to each object how often it saw it.
type tally struct {
	mu   sync.Mutex
	seen map[string]int
}

const seenMark = "seen"

func (c *tally) transform(object any) (any, error) {
	o := object.(metav1.Object)
	marks := o.GetAnnotations()
	if marks == nil {
		marks = map[string]string{}
	}
	marks[seenMark] += "x"
	o.SetAnnotations(marks)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[o.GetName()]++
	return strip(object)
}

// TestATransformerComesFirst: what a transformer takes away, no index function, handler or reader sees.
//
// covers: C-07
func TestATransformerComesFirst(t *testing.T) {
	f := setup(t)
	made := f.create(t, "a", "red")
	require.NotEmpty(t, made.ManagedFields, "the server keeps them")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	require.NoError(t, informer.SetTransform(strip))
	var mu sync.Mutex
	managed := map[string]bool{}
	look := func(who string, object any) {
		mu.Lock()
		defer mu.Unlock()
		managed[who] = managed[who] || len(object.(metav1.Object).GetManagedFields()) > 0
	}
	require.NoError(t, informer.AddIndexers(cache.Indexers{"looking": func(object any) ([]string, error) {
		look("index function", object)
		return nil, nil
	}}))
	came := make(chan struct{}, 10)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { look("OnAdd", o); came <- struct{}{} },
		UpdateFunc: func(old, o any) { look("OnUpdate", old); look("OnUpdate", o); came <- struct{}{} },
		DeleteFunc: func(o any) { look("OnDelete", o); came <- struct{}{} },
	})
	require.NoError(t, err)
	run(t, factory)
	wait(t, came)
	look("reader", informer.GetStore().List()[0])
	f.paint(t, made, "blue")
	wait(t, came)
	require.NoError(t, f.maps.Delete(t.Context(), "a", metav1.DeleteOptions{}))
	wait(t, came)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, map[string]bool{"index function": false, "OnAdd": false, "OnUpdate": false, "OnDelete": false,
		"reader": false}, managed)
}

// TestATransformerMayComeTwice: an informer transforms the objects of a streaming list twice, once on their way into
// the reflector's own store and once on their way into the queue. Those of a list, and what changes later, it
// transforms once. So a transformer gives for its own result that result again.
//
// covers: C-07
func TestATransformerMayComeTwice(t *testing.T) {
	for name, streaming := range map[string]bool{"streaming list": true, "list": false} {
		t.Run(name, func(t *testing.T) {
			featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, streaming)
			f := setup(t)
			f.create(t, "first", "red")
			factory := f.factory()
			informer := factory.Core().V1().ConfigMaps().Informer()
			c := &tally{seen: map[string]int{}}
			require.NoError(t, informer.SetTransform(c.transform))
			handler := listen(t, informer)
			run(t, factory)
			handler.expect(t, "add first")
			f.create(t, "later", "red")
			handler.expect(t, "add later")
			c.mu.Lock()
			defer c.mu.Unlock()
			want := map[string]int{"first": 1, "later": 1}
			if streaming {
				want["first"] = 2
			}
			require.Equal(t, want, c.seen)
			item, _, err := informer.GetStore().GetByKey(f.Namespace + "/first")
			require.NoError(t, err)
			require.Len(t, item.(*corev1.ConfigMap).Annotations[seenMark], want["first"], "and the object shows it")
		})
	}
}

// TestOurTransformer: this chapter's store transforms what comes in, each time that it comes: in a Replace and a
// transaction, too. The reflector's own store does not ask for it, so that a reflector brings it untransformed objects.
//
// covers: C-07
func TestOurTransformer(t *testing.T) {
	f := setup(t)
	f.create(t, "first", "red")
	c := &tally{seen: map[string]int{}}
	s := observe(store.New(cache.MetaNamespaceKeyFunc, nil, store.WithTransformer(c.transform)))
	f.reflect(t, s)
	s.until(t, func() bool { return len(s.List()) == 1 })
	f.create(t, "later", "red")
	s.until(t, func() bool { return len(s.List()) == 2 })
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(t, map[string]int{"first": 1, "later": 1}, c.seen)
	for _, o := range s.List() {
		require.Empty(t, o.(*corev1.ConfigMap).ManagedFields)
	}
}

// TestAFailingTransformer: its error is the write's, and nothing is written. An informer's reflector meets it in the
// streaming list already, where it leaves the object out and goes on; the log says so, and nobody else is told.
//
// covers: C-07
func TestAFailingTransformer(t *testing.T) {
	refuse := func(object any) (any, error) {
		if object.(metav1.Object).GetName() == "bad" {
			return nil, errors.New("no room for it")
		}
		return object, nil
	}
	for name, s := range map[string]cache.Store{
		"ours":     store.New(cache.MetaNamespaceKeyFunc, nil, store.WithTransformer(refuse)),
		"upstream": cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}, cache.WithTransformer(refuse)),
	} {
		good, bad := colored("default", "good", "red"), colored("default", "bad", "red")
		require.NoError(t, s.Add(good), name)
		require.ErrorContains(t, s.Add(bad), "no room for it", name)
		require.ErrorContains(t, s.Replace([]any{bad}, "2"), "no room for it", name)
		require.Equal(t, []any{good}, s.List(), name)
	}
	f := setup(t)
	f.create(t, "bad", "red")
	f.create(t, "good", "red")
	factory := f.factory()
	informer := factory.Core().V1().ConfigMaps().Informer()
	require.NoError(t, informer.SetTransform(refuse))
	var mu sync.Mutex
	var logged []string
	runIn(klog.NewContext(t.Context(), funcr.New(func(_, line string) {
		mu.Lock()
		defer mu.Unlock()
		logged = append(logged, line)
	}, funcr.Options{})), t, factory)
	require.Equal(t, []string{"good"}, namesOf(informer.GetStore().List()))
	mu.Lock()
	defer mu.Unlock()
	said := strings.Join(logged, "\n")
	require.Contains(t, said, "Unable to add watch event object to store")
	require.Contains(t, said, "no room for it")
}
