package reflector_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// unversioned answers lists without a version.
type unversioned struct{ *reflectortest.Server }

func (u unversioned) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	list, err := u.Server.ListWithContext(ctx, o)
	if err == nil {
		list.(*corev1.ConfigMapList).ResourceVersion = ""
	}
	return list, err
}

// plain says that it does not support streaming lists.
type plain struct{ *reflectortest.Server }

func (plain) IsWatchListSemanticsUnSupported() bool { return true }

func TestStreamingListsAreOffWhereSomethingSaysSo(t *testing.T) {
	want := []string{"list 0", "watch 3"}
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.begin(t)
		require.Equal(t, want, r.Sent())
	})
	bubble(t, func(t *testing.T, r *run) {
		r.source = plain{r.Server}
		r.begin(t)
		require.Equal(t, want, r.Sent())
	})
	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, false)
	bubble(t, func(t *testing.T, r *run) {
		r.begin(t)
		require.Equal(t, want, r.Sent())
	})
}

func TestNamesAreUpstreams(t *testing.T) {
	secret := &unstructured.Unstructured{}
	secret.SetAPIVersion("v1")
	secret.SetKind("Secret")
	for _, expected := range []any{nil, &corev1.ConfigMap{}, &unstructured.Unstructured{}, secret} {
		theirs := cache.NewReflector(&cache.ListWatch{}, expected, nil, 0)
		ours := reflector.New(&cache.ListWatch{}, expected, nil, reflector.Options{})
		require.Equal(t, theirs.TypeDescription(), ours.TypeDescription())
	}
	r := reflector.New(&cache.ListWatch{}, nil, nil, reflector.Options{Name: "name", TypeDescription: "type"})
	require.Equal(t, "name", r.Name())
	require.Equal(t, "type", r.TypeDescription())
}

func TestTheErrorHandlerGetsAReflectorWithTheName(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		var names []string
		var standIn *cache.Reflector
		r.options.Name, r.options.TypeDescription = "name", "type"
		r.options.WatchErrorHandler = func(ctx context.Context, given *cache.Reflector, err error) {
			names, standIn = append(names, given.Name(), given.TypeDescription()), given
			cache.DefaultWatchErrorHandler(ctx, given, err)
		}
		r.Fail(errDown, errDown)
		r.begin(t)
		require.Equal(t, []string{"name", "type"}, names)
		later(time.Minute)
		require.Equal(t, "3", r.reflector.LastSyncResourceVersion())
		require.Empty(t, standIn.LastSyncResourceVersion(), "it runs nothing, and learns nothing")
	})
}

// TestObjectsOfAnotherKindStayOut sends events to reflectors of a type, of an unstructured kind, and of anything.
func TestObjectsOfAnotherKindStayOut(t *testing.T) {
	kind := func(apiVersion, kind, name string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind,
			"metadata": map[string]any{"name": name, "resourceVersion": "7"}}}
	}
	events := []runtime.Object{
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "typed"}},
		kind("v1", "ConfigMap", "map"), kind("v1", "Secret", "secret"), kind("example.com/v1", "ConfigMap", "other"),
		kind("meta.k8s.io/v1", "Table", "table"), kind("meta.k8s.io/v1beta1", "Table", "old table"),
		kind("example.com/v1", "Table", "furniture"),
		&metav1.Status{}, nil,
	}
	for _, c := range []struct {
		expected any
		want     []string
	}{
		{nil, []string{"typed", "map", "secret", "other", "furniture"}},
		{&corev1.ConfigMap{}, []string{"typed"}},
		{&unstructured.Unstructured{}, []string{"map", "secret", "other", "furniture"}},
		{kind("v1", "ConfigMap", ""), []string{"map"}},
	} {
		for _, streaming := range []bool{true, false} {
			require.ElementsMatch(t, c.want, accepted(t, c.expected, streaming, events), "%T", c.expected)
		}
	}
}

// accepted are the names of the objects that reach the store, in the initial state of a streaming list or after it.
func accepted(t *testing.T, expectedType any, initial bool, objects []runtime.Object) []string {
	var names []string
	bubble(t, func(t *testing.T, _ *run) {
		w := watch.NewFakeWithChanSize(len(objects)+1, false)
		for _, object := range objects {
			w.Add(object)
		}
		w.Action(watch.Bookmark, ending(expectedType))
		lw := &cache.ListWatch{
			WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) { return w, nil },
			ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
				return &corev1.ConfigMapList{}, nil
			},
		}
		s := cache.NewStore(cache.MetaNamespaceKeyFunc)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		reflector.New(lw, expectedType, s, reflector.Options{ListOnly: !initial}).RunWithContext(ctx)
		names = s.ListKeys()
	})
	return names
}

// ending is the bookmark that ends an initial state, as an object of the expected type.
func ending(expectedType any) runtime.Object {
	annotations := map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	if u, ok := expectedType.(*unstructured.Unstructured); ok {
		u = u.DeepCopy()
		u.SetAnnotations(annotations)
		return u
	}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Annotations: annotations}}
}

// TestABookmarkOfAnotherTypeEndsNothing.
func TestABookmarkOfAnotherTypeEndsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.Hold()
		r.begin(t)
		r.Send(watch.Event{Type: watch.Bookmark, Object: ending(&unstructured.Unstructured{Object: map[string]any{}})})
		synctest.Wait()
		require.Empty(t, r.store.Calls())
	})
}

// transforming is a store that transforms what it is given.
type transforming struct {
	*reflectortest.Store
	seen atomic.Int32
}

func (s *transforming) Transformer() cache.TransformFunc {
	return func(object any) (any, error) {
		s.seen.Add(1)
		c := object.(*corev1.ConfigMap).DeepCopy()
		c.Data["value"] = "transformed"
		return c, nil
	}
}

func TestAStreamingListIsTransformedAsItArrives(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		s := &transforming{Store: r.store}
		r.into = s
		r.begin(t)
		require.Equal(t, map[string]string{"a": "transformed", "b": "transformed"}, r.store.Values())
		require.EqualValues(t, 2, s.seen.Load())
		r.Put("c", "")
		synctest.Wait()
		require.EqualValues(t, 2, s.seen.Load(), "the rest is the store's business")
	})
}

// onBoth runs ours and upstream's, each on a server and a store of its own, until the test returns. begin starts it and
// returns when it waits.
func onBoth(t *testing.T, test func(t *testing.T, who string, server *reflectortest.Server, store *reflectortest.Store,
	begin func())) {
	t.Helper()
	for who, build := range both {
		t.Run(who, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				server, store := reflectortest.NewServer("a", "b"), &reflectortest.Store{}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan struct{})
				test(t, who, server, store, func() {
					run, _ := build(server, store, nil)
					go func() {
						defer close(ended)
						run(ctx)
					}()
					synctest.Wait()
				})
				cancel()
				<-ended
				server.End()
			})
		})
	}
}

// TestAStreamingListThatTheStoreRefusesIsStopped: upstream leaves the watch open.
func TestAStreamingListThatTheStoreRefusesIsStopped(t *testing.T) {
	onBoth(t, func(t *testing.T, who string, server *reflectortest.Server, store *reflectortest.Store, begin func()) {
		refused := 0
		store.Refuse = func(string) error {
			if refused++; refused == 1 {
				return errDown
			}
			return nil
		}
		begin()
		require.Equal(t, []string{"stream ", "list 0", "watch 3"}, server.Sent())
		open, stopped := server.Watches()
		require.Equal(t, map[string][]int{"ours": {1, 1}, "upstream": {2, 0}}[who], []int{open, stopped})
	})
}

// TestTheStoreRefusesTheNewerState: the server can't serve the version any more, and the store refuses what came in its
// place. Ours does not ask for that version again, upstream does.
func TestTheStoreRefusesTheNewerState(t *testing.T) {
	onBoth(t, func(t *testing.T, who string, server *reflectortest.Server, store *reflectortest.Store, begin func()) {
		begin()
		refused := 0
		store.Refuse = func(string) error {
			if refused++; refused == 1 {
				return errDown
			}
			return nil
		}
		server.Fail(reflectortest.Expired())
		server.Break(reflectortest.Expired())
		later(time.Minute)
		require.Equal(t, []string{"stream ", "stream 3", "stream ", map[string]string{"ours": "list ",
			"upstream": "list 3"}[who]}, server.Sent()[:4])
	})
}

func TestPartsAreUsed(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		calls := map[string]int{}
		r.options.Parts = reflector.Parts{
			Policy: func(doing reflector.Doing, err error) reflector.Decision {
				calls["policy"]++
				if err == nil {
					return reflector.Decision{}
				}
				return reflector.Decision{Next: reflector.Fall, Wait: true}
			},
			Initial: func(ctx context.Context, w watch.Interface, into reflector.Collection) (string, error) {
				calls["initial"]++
				_, err := reflector.ReadInitial(ctx, w, into)
				return "33", err
			},
		}
		r.begin(t)
		require.Equal(t, []string{"Replace a b at 33"}, r.store.Calls())
		later(time.Minute)
		r.Break(internalError())
		later(time.Minute)
		require.Equal(t, "list 33", r.Sent()[1], "Fall is a list, whatever failed")
		r.End()
		synctest.Wait()
		require.Equal(t, "list 33", r.Sent()[2])
		require.Equal(t, 1, calls["initial"])
		require.Positive(t, calls["policy"])
	})
}

// TestAPanicThatIsForgivenIsAFailure is for programs that tell apimachinery not to crash.
func TestAPanicThatIsForgivenIsAFailure(t *testing.T) {
	utilruntime.ReallyCrash = false
	defer func() { utilruntime.ReallyCrash = true }()
	bubble(t, func(t *testing.T, r *run) {
		lists := 0
		r.options.ListOnly = true
		list := func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			lists++
			panic("no list")
		}
		r.source = &cache.ListWatch{ListWithContextFunc: list}
		r.begin(t)
		later(time.Minute)
		require.Greater(t, lists, 2)
		require.Less(t, lists, 20)
	})
}
