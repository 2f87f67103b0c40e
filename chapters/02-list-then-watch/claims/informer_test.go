package claims

import (
	"context"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// informed runs client-go's informer of ConfigMaps through a fault proxy until done, and returns the
// requests that it made.
func informed(t *testing.T, f *fixture, script string, done func([]faults.Record) bool) []faults.Record {
	t.Helper()
	written, err := faults.Parse(script)
	require.NoError(t, err)
	proxy := faults.New(f.Server, f.HTTPClient().Transport, written)
	defer proxy.Close()
	set, err := kubernetes.NewForConfigAndClient(&clientrest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: clientrest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, proxy.Client())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithNamespace(f.Namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(ctx.Done())
	require.True(t, cache.WaitForCacheSync(ctx.Done(), informer.HasSynced))
	require.NoError(t, proxy.Quiet(ctx, func() bool { return done(proxy.Records()) }))
	cancel()
	factory.Shutdown()
	return proxy.Records()
}

// query picks what matters of a request's parameters.
func query(r faults.Record) string {
	q := url.Values{}
	for _, key := range []string{"watch", "resourceVersion", "resourceVersionMatch", "sendInitialEvents",
		"allowWatchBookmarks", "limit"} {
		if r.Query.Has(key) {
			q.Set(key, r.Query.Get(key))
		}
	}
	return q.Encode()
}

// TestInformerSendsOneRequest: an informer does not list any more. One watch brings the objects, and
// then the changes.
//
// covers: B-02 B-12 C-02
func TestInformerSendsOneRequest(t *testing.T) {
	f := setup(t)
	f.create("a")
	records := informed(t, f, "", func(r []faults.Record) bool { return len(r) == 1 })
	require.Equal(t, "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true",
		query(records[0]))

	// The five to ten minutes that are told of the server are chosen here. The server's own default is
	// half an hour at least.
	seconds, err := strconv.Atoi(records[0].Query.Get("timeoutSeconds"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, 300)
	require.LessOrEqual(t, seconds, 600)
}

// TestInformerThatLists: with the feature gate off, an informer lists and watches as in the books, but
// for two parameters that they leave out; and after a 410 it does not list afresh, but not older than
// what it has seen.
//
// covers: B-02 B-03
func TestInformerThatLists(t *testing.T) {
	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, false)
	f := setup(t)
	f.create("a")
	records := informed(t, f, "", func(r []faults.Record) bool { return len(r) == 2 })
	require.Equal(t, "limit=500&resourceVersion=0", query(records[0]))
	require.Equal(t, faults.Watch, records[1].Verb)
	from := records[1].Query.Get("resourceVersion")
	require.NotContains(t, []string{"", "0"}, from, "from the list's resourceVersion")

	records = informed(t, f, "2 gone", func(r []faults.Record) bool { return len(r) == 4 })
	from = records[1].Query.Get("resourceVersion")
	require.Equal(t, "resourceVersion="+from, query(records[2]), "not older than the last, and without pages")
}

// TestFakeClientsetStillLists: who tests with a fake clientset tests another conversation.
//
// covers: C-02
func TestFakeClientsetStillLists(t *testing.T) {
	set := fake.NewClientset(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "default"}})
	ctx, cancel := context.WithCancel(t.Context())
	factory := informers.NewSharedInformerFactory(set, 0)
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(ctx.Done())
	require.True(t, cache.WaitForCacheSync(ctx.Done(), informer.HasSynced))
	var verbs []string
	require.Eventually(t, func() bool {
		verbs = nil
		for _, a := range set.Actions() {
			verbs = append(verbs, a.GetVerb())
		}
		return len(verbs) >= 2
	}, 10*time.Second, 10*time.Millisecond)
	cancel()
	factory.Shutdown()
	require.Equal(t, []string{"list", "watch"}, verbs)
}

// TestNotFromAnyEvent: a reflector does not resume from the resourceVersion of a synthetic ADDED
// event. Those come in the order of names.
//
// covers: B-21
func TestNotFromAnyEvent(t *testing.T) {
	var mu sync.Mutex
	var asked []metav1.ListOptions
	twice := make(chan struct{})
	added := func(name, rv string) apiwatch.Event {
		return apiwatch.Event{Type: apiwatch.Added,
			Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: rv}}}
	}
	source := &cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			return &corev1.ConfigMapList{}, nil
		},
		WatchFuncWithContext: func(_ context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
			mu.Lock()
			defer mu.Unlock()
			if asked = append(asked, o); len(asked) == 2 {
				close(twice)
			}
			w := apiwatch.NewFakeWithChanSize(2, false)
			if len(asked) == 1 {
				w.Action(added("a", "90").Type, added("a", "90").Object)
				w.Action(added("b", "50").Type, added("b", "50").Object)
				w.Stop()
			}
			return w, nil
		},
	}
	reflector := cache.NewReflector(source, &corev1.ConfigMap{}, cache.NewStore(cache.MetaNamespaceKeyFunc), 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() { defer close(done); reflector.RunWithContext(ctx) }()
	select {
	case <-twice:
	case <-time.After(20 * time.Second):
		t.Fatal("there was no second watch")
	}
	cancel()
	<-done
	require.Equal(t, true, *asked[0].SendInitialEvents)
	require.Empty(t, asked[1].ResourceVersion,
		"the next watch begins with all objects again, not after 50, nor after 90")
}
