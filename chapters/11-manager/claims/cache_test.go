package claims

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// loose is an object, or a list, of a kind without a Go type.
func loose(kind string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: kind})
	return u
}

// begun is a manager's client, which reads its cache, once the manager runs.
func (w *world) begun(change func(*ctrl.Options)) ctrl.Manager {
	w.t.Helper()
	options := w.options()
	if change != nil {
		change(&options)
	}
	m := w.manager(options)
	start(w.t, m.Start)
	synctest.Wait()
	w.record.Restart()
	return m
}

// requested are the requests since the last time, as the record describes them.
func (w *world) requested() []string {
	synctest.Wait()
	all := slices.DeleteFunc(w.record.Lines(opened.Requests), func(line string) bool {
		return strings.HasPrefix(line, "GET api") // what the mapper asks, once
	})
	w.record.Restart()
	return all
}

// asked writes down the queries of a collection's requests.
type asked struct {
	mu  sync.Mutex
	all []url.URL
}

func (a *asked) of(collection string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/"+collection) {
			a.mu.Lock()
			a.all = append(a.all, *r.URL)
			a.mu.Unlock()
		}
		return nil, nil
	}
}

// first is the first request.
func (a *asked) first(t *testing.T) *url.URL {
	t.Helper()
	synctest.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	require.NotEmpty(t, a.all)
	return &a.all[0]
}

// A read of a kind that nobody has read begins to watch it, all of it, in all namespaces, for as long as the manager
// lasts, and waits until it is there. The next read is a look into a map. What has no Go type is read from the server,
// each time, unless that is asked for; then it has a watch of its own.
//
// covers: B-95 S0-32 S3-16 S3-17
func TestAReadBeginsToWatch(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(nil)
		w.requested()
		var a asked
		w.wire.instead(func(r *http.Request) (*http.Response, error) {
			_, _ = a.of("configmaps")(r)
			return late("configmaps", 5*time.Second)(r)
		})
		read := func(o ctrlObject) time.Duration {
			begin := time.Now()
			require.NoError(t, m.GetClient().Get(t.Context(), ctrlKey{Namespace: "north", Name: "menu"}, o))
			return time.Since(begin)
		}
		require.GreaterOrEqual(t, read(configMap("", "")), 5*time.Second)
		require.Equal(t, []string{"GET configmaps, a watch"}, w.requested())
		require.Equal(t, "/api/v1/configmaps", a.first(t).Path, "of all namespaces")
		require.Zero(t, read(configMap("", "")))
		require.Empty(t, w.requested())

		w.wire.instead(nil)
		for range 2 {
			read(loose("ConfigMap"))
		}
		require.Equal(t, []string{"GET configmaps/menu", "GET configmaps/menu"}, w.requested())
	})
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(func(o *ctrl.Options) { o.Client.Cache = &client.CacheOptions{Unstructured: true} })
		for _, o := range []ctrlObject{configMap("", ""), loose("ConfigMap"), loose("ConfigMap")} {
			require.NoError(t, m.GetClient().Get(t.Context(), ctrlKey{Namespace: "north", Name: "menu"}, o))
		}
		require.Equal(t, []string{"*unstructured.Unstructured of ConfigMap", "*v1.ConfigMap"},
			made(w.record), "the same objects twice")
	})
}

// A cache looks for fields only by an index that was made for them, and only for what equals. The server has its own
// selectors, and knows nothing of the cache's.
//
// covers: B-95
func TestFieldsNeedAnIndex(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(nil)
		var list corev1.ConfigMapList
		err := m.GetClient().List(t.Context(), &list, client.MatchingFields{"metadata.name": "menu"})
		require.EqualError(t, err, "Index with name field:metadata.name does not exist")
		require.NoError(t, m.GetAPIReader().List(t.Context(), &list, client.MatchingFields{"metadata.name": "menu"}))
		require.Len(t, list.Items, 1)

		require.NoError(t, m.GetFieldIndexer().IndexField(t.Context(), configMap("", ""), "metadata.name",
			func(o ctrlObject) []string { return []string{o.GetName()} }))
		require.NoError(t, m.GetClient().List(t.Context(), &list, client.MatchingFields{"metadata.name": "menu"}))
		require.Len(t, list.Items, 1)
		err = m.GetClient().List(t.Context(), &list, client.MatchingFieldsSelector{
			Selector: fields.OneTermNotEqualSelector("metadata.name", "wine")})
		require.EqualError(t, err, "non-exact field matches are not supported by the cache")
	})
}

// Three ways around the cache: a client that reads some kinds from the server, the manager's APIReader, and a cache
// that refuses to make an informer for a read.
//
// covers: S0-33 C-26 B-77
func TestReadsAroundTheCache(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(func(o *ctrl.Options) {
			o.Client.Cache = &client.CacheOptions{DisableFor: []client.Object{configMap("", "")}}
			o.Cache.ReaderFailOnMissingInformer = true
		})
		place := ctrlKey{Namespace: "north", Name: "menu"}
		w.requested()
		require.NoError(t, m.GetClient().Get(t.Context(), place, configMap("", "")))
		require.NoError(t, m.GetAPIReader().Get(t.Context(), place, configMap("", "")))
		require.Equal(t, []string{"GET configmaps/menu", "GET configmaps/menu"}, w.requested())

		err := m.GetClient().Get(t.Context(), place, &corev1.Secret{})
		var notCached *cache.ErrResourceNotCached
		require.ErrorAs(t, err, &notCached)
		require.EqualError(t, err, "/v1, Kind=Secret is not cached")
		require.Empty(t, w.requested())
	})
}

// What a cache has can be cut down, by namespaces and by selectors, for all kinds or for one. The server then sends no
// more than that, and what is left out does not exist for who reads the cache.
//
// covers: C-26 S0-33 B-77
func TestACacheOfLess(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		w.create("south", "menu")
		var a asked
		w.wire.instead(a.of("configmaps"))
		m := w.begun(func(o *ctrl.Options) {
			o.Cache.DefaultNamespaces = map[string]cache.Config{"north": {}, "east": {}}
		})
		get := func(namespace string) error {
			return m.GetClient().Get(t.Context(), ctrlKey{Namespace: namespace, Name: "menu"}, configMap("", ""))
		}
		require.NoError(t, get("north"))
		require.EqualError(t, get("south"),
			"unable to get: south/menu because of unknown namespace for the cache")
		var list corev1.ConfigMapList
		require.NoError(t, m.GetClient().List(t.Context(), &list))
		require.Len(t, list.Items, 1)
		synctest.Wait()
		paths := map[string]bool{}
		for _, u := range a.all {
			paths[u.Path] = true
		}
		require.Equal(t, map[string]bool{"/api/v1/namespaces/north/configmaps": true,
			"/api/v1/namespaces/east/configmaps": true}, paths, "one watch a namespace")
	})
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		var a asked
		w.wire.instead(a.of("configmaps"))
		m := w.begun(func(o *ctrl.Options) {
			o.Cache.ByObject = map[client.Object]cache.ByObject{configMap("", ""): {
				Label: labels.SelectorFromSet(labels.Set{"role": "source"})}}
		})
		err := m.GetClient().Get(t.Context(), ctrlKey{Namespace: "north", Name: "menu"}, configMap("", ""))
		require.EqualError(t, err, `ConfigMap "menu" not found`, "it is there")
		require.Equal(t, "role=source", a.first(t).Query().Get("labelSelector"))
	})
}

// A cache can be had without bookmarks, and then it is never filled: the end of the initial state is a bookmark, since
// client-go asks for that state with the watch. Nothing falls back to a list.
//
// covers: C-26
func TestACacheWithoutBookmarks(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		var a asked
		w.wire.instead(a.of("configmaps"))
		m := w.begun(func(o *ctrl.Options) { o.Cache.DefaultEnableWatchBookmarks = ptr.To(false) })
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		err := m.GetClient().Get(ctx, ctrlKey{Namespace: "north", Name: "menu"}, configMap("", ""))
		require.EqualError(t, err, "Timeout: failed waiting for *v1.ConfigMap Informer to sync")
		query := a.first(t).Query()
		require.Equal(t, "true", query.Get("sendInitialEvents"))
		require.NotEqual(t, "true", query.Get("allowWatchBookmarks"))
	})
}

// What the cache keeps can be changed on its way in, and what it gives out is a copy, unless the copy was declined:
// then who changes what he read changes it for everybody.
//
// covers: C-26
func TestWhatACacheGivesOut(t *testing.T) {
	for _, shared := range []bool{false, true} {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			source := configMap("north", "menu")
			source.Data = map[string]string{"dish": "soup"}
			source.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "cook"}}
			_, err := w.user.CoreV1().ConfigMaps("north").Create(t.Context(), source, metav1.CreateOptions{})
			require.NoError(t, err)
			m := w.begun(func(o *ctrl.Options) {
				o.Cache.DefaultUnsafeDisableDeepCopy = ptr.To(shared)
				o.Cache.DefaultTransform = cache.TransformStripManagedFields()
			})
			var one, two corev1.ConfigMap
			place := ctrlKey{Namespace: "north", Name: "menu"}
			require.NoError(t, m.GetClient().Get(t.Context(), place, &one))
			require.Empty(t, one.ManagedFields)
			one.Data["dish"] = "my own"
			require.NoError(t, m.GetClient().Get(t.Context(), place, &two))
			require.Equal(t, shared, two.Data["dish"] == "my own")
		})
	}
}

// An informer that is removed from the cache ends for all controllers that share it. They hear nothing more, and
// nothing is logged. The next read makes an informer anew, and the controllers hear nothing of that one either.
func TestARemovedInformerEndsForAll(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		for _, name := range []string{"one", "two"} {
			require.NoError(t, ctrl.NewControllerManagedBy(m).Named(name).For(configMap("", "")).
				Complete(w.record.Reconciler(name, noop)))
		}
		start(t, m.Start)
		w.create("north", "menu")
		pass(time.Minute)
		for _, run := range []string{"one runs north/menu", "two runs north/menu"} {
			require.Contains(t, w.record.Lines(opened.Reconcilers), run)
		}

		w.record.Restart()
		require.NoError(t, m.GetCache().RemoveInformer(t.Context(), configMap("", "")))
		w.create("north", "later")
		pass(time.Hour)
		require.Empty(t, w.record.Lines(opened.Reconcilers, opened.Log))
		require.Equal(t, []string{"end of GET configmaps, a watch"}, w.requested())

		later := ctrlKey{Namespace: "north", Name: "later"}
		require.NoError(t, m.GetClient().Get(t.Context(), later, configMap("", "")))
		pass(time.Minute)
		require.Empty(t, w.record.Lines(opened.Reconcilers, opened.Log))
		require.Equal(t, []string{"GET configmaps, a watch"}, w.requested())
	})
}

// A period for one kind has the cache repeat its objects of that kind as updates that change nothing. They come at the
// low priority, and the server knows nothing of them.
//
// covers: C-26 B-75
func TestAPeriodOfOneKind(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		options := w.options()
		options.Cache.ByObject = map[client.Object]cache.ByObject{configMap("", ""): {SyncPeriod: ptr.To(time.Minute)}}
		m := w.manager(options)
		c, err := controller.New("mirror", m, w.asks("mirror", reconciles(reconcile.Result{}, nil)))
		require.NoError(t, err)
		require.NoError(t, c.Watch(source.Kind(m.GetCache(), configMap("", ""),
			&handler.TypedEnqueueRequestForObject[*configMapType]{})))
		start(t, m.Start)
		pass(30 * time.Second)
		w.record.Restart()
		pass(4 * time.Minute) // a watch lasts five or more
		require.InDelta(t, 4, len(times(w.record, "mirror Add at priority -100 north/menu")), 1, "0.9 to 1.1 minutes")
		require.InDelta(t, 4, len(w.ran()), 1)
		require.Empty(t, w.requested())
	})
}

// The client of a manager writes to the server and reads the cache. So what it has written is not there yet for it, as
// long as the watch has not told. With the consistency that is an option, a read waits for that, and the price is on
// each read after a write, on a list of anything of the kind, and on a write of a kind that nobody reads: an informer
// is made for it, of all namespaces, and waited for.
//
// This is an experiment of upstream's.
func TestReadYourWrites(t *testing.T) {
	const behind = 3 * time.Second
	place := ctrlKey{Namespace: "north", Name: "menu"}
	for _, consistent := range []bool{false, true} {
		t.Run(fmt.Sprint(consistent), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				w.create("north", "menu")
				m := w.begun(func(o *ctrl.Options) {
					o.Client.Cache = &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(consistent)}
				})
				over := m.GetClient()
				var object corev1.ConfigMap
				w.wire.instead(w.wire.behind("configmaps", behind))
				require.NoError(t, over.Get(t.Context(), place, &object))
				w.requested()
				object.Data = map[string]string{"dish": "soup"}
				require.NoError(t, over.Update(t.Context(), &object))
				begin, read := time.Now(), corev1.ConfigMap{}
				require.NoError(t, over.Get(t.Context(), place, &read))
				require.Equal(t, consistent, read.Data["dish"] == "soup")
				require.Equal(t, consistent, time.Since(begin) > 0, "%s", time.Since(begin))
				require.Less(t, time.Since(begin), 10*behind)
				require.Equal(t, []string{"PUT configmaps/menu"}, w.requested(), "nobody asks the server again")

				secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: "key"}}
				require.NoError(t, over.Create(t.Context(), secret))
				if consistent {
					require.Equal(t, []string{"GET secrets, a watch", "POST secrets"}, w.requested())
				} else {
					require.Equal(t, []string{"POST secrets"}, w.requested())
				}
			})
		})
	}
}

// With that option a write before the manager's start waits for its cache, which is not started, and writes nothing.
//
// This is an experiment of upstream's.
func TestAWriteBeforeTheStart(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		options := w.options()
		options.Client.Cache = &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(true)}
		m := w.manager(options)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.Error(t, m.GetClient().Create(ctx, configMap("north", "menu")))
		require.NotContains(t, w.requested(), "POST configmaps")
		require.NoError(t, m.GetClient().Create(t.Context(), configMap("north", "menu"),
			client.DisableReadYourWritesConsistency))
	})
}
