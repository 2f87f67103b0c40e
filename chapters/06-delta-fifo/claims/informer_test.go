package claims

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// HandleError sleeps between errors, since the last one by the real clock: in a bubble for 27 years.
func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
}

// informed is an informer of ConfigMaps in a bubble, whose server is the test.
type informed struct {
	cache.SharedIndexInformer
	stop func()

	mu       sync.Mutex
	watch    *watch.FakeWatcher
	requests int
	heard    []string
}

// newInformed starts an informer of the objects.
func newInformed(t *testing.T, resync time.Duration, objects ...*corev1.ConfigMap) *informed {
	i := &informed{watch: streamed(objects...)}
	i.SharedIndexInformer = cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			return &corev1.ConfigMapList{}, i.ask()
		},
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
			err := i.ask()
			return i.source(), err
		},
	}, &corev1.ConfigMap{}, resync, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); i.RunWithContext(ctx) }()
	i.stop = func() { cancel(); <-done }
	return i
}

// streamed is a streaming list of the objects, which goes on.
func streamed(objects ...*corev1.ConfigMap) *watch.FakeWatcher {
	w := watch.NewFakeWithChanSize(100, false)
	for _, o := range objects {
		w.Add(o)
	}
	end := configMap("", "10")
	end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	w.Action(watch.Bookmark, end)
	return w
}

// ask counts a request.
func (i *informed) ask() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.requests++
	return nil
}

// source is the watch that the next request gets.
func (i *informed) source() *watch.FakeWatcher {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.watch
}

// relist has the next request get the objects, forgets what was heard, and ends the present watch with a 410.
func (i *informed) relist(objects ...*corev1.ConfigMap) {
	i.mu.Lock()
	old := i.watch
	i.watch, i.heard = streamed(objects...), nil
	i.mu.Unlock()
	old.Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
}

// all is what was heard.
func (i *informed) all() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.heard)
}

func (i *informed) hear(format string, args ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.heard = append(i.heard, fmt.Sprintf(format, args...))
}

// handler writes down what it hears, and whether an update was of one and the same object.
func (i *informed) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { i.hear("add %s", o.(*corev1.ConfigMap).ResourceVersion) },
		UpdateFunc: func(old, o any) {
			i.hear("update %s, the same object: %t", o.(*corev1.ConfigMap).ResourceVersion, old == o)
		},
	}
}

// An informer's queue is a RealFIFO: atomic, unlocked while it processes, with bookmarks. A DeltaFIFO is out of reach:
// the gate that chose is locked.
//
// covers: S3-36 B-26
func TestAnInformerHasARealFIFO(t *testing.T) {
	var queue reflect.Value
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, 0, configMap("a", "1"))
		synctest.Wait()
		i.stop()
		informer := reflect.ValueOf(i.SharedIndexInformer).Elem()
		queue = informer.FieldByName("controller").Elem().Elem().FieldByName("config").FieldByName("Queue").Elem()
		_, exists, err := i.GetStore().GetByKey("d/a")
		require.NoError(t, err)
		require.True(t, exists, "what the queue has handed out is in the indexer")
	})
	require.Equal(t, reflect.TypeFor[*cache.RealFIFO](), queue.Type())
	for _, set := range []string{"emitAtomicEvents", "unlockWhileProcessing", "emitDeltaTypeBookmark"} {
		require.True(t, queue.Elem().FieldByName(set).Bool(), set)
	}
	require.True(t, queue.Elem().FieldByName("knownObjects").IsNil())
	require.True(t, clientfeatures.FeatureGates().Enabled(clientfeatures.InOrderInformers))
}

// Ten updates are ten calls of a handler: no queue below it merges them. What makes one piece of work of them is the
// workqueue, which holds keys.
//
// covers: S3-30 B-29
func TestTenUpdatesReachTheHandler(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, 0, configMap("a", "1"))
		defer i.stop()
		work := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
		defer work.ShutDown()
		updates := 0
		_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, o any) {
			updates++
			work.Add(o.(*corev1.ConfigMap).Name)
		}})
		require.NoError(t, err)
		for version := 11; version <= 20; version++ {
			i.source().Modify(configMap("a", fmt.Sprint(version)))
		}
		synctest.Wait()
		i.stop()
		require.Equal(t, 10, updates)
		require.Equal(t, 1, work.Len())
	})
}

// A resync sends no request, and repairs nothing: it hands out what is in the store, and a store that is wrong stays
// so.
//
// covers: B-36
func TestAResyncAsksNobody(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, 10*time.Second, configMap("a", "1"))
		defer i.stop()
		_, err := i.AddEventHandler(i.handler())
		require.NoError(t, err)
		synctest.Wait()
		require.NoError(t, i.GetStore().Update(configMap("a", "wrong")))
		time.Sleep(35 * time.Second)
		require.Equal(t, []string{"add 1", "update wrong, the same object: true", "update wrong, the same object: true",
			"update wrong, the same object: true"}, i.all())
		i.stop()
		require.Equal(t, 1, i.requests)
	})
}

// A Pop waits for the next item, and no clock: an event reaches its handler in the same moment, though the loop around
// it is started by a timer of a second and the resync has a period of an hour.
//
// covers: B-37
func TestAPopComesAtOnce(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, time.Hour, configMap("a", "1"))
		defer i.stop()
		_, err := i.AddEventHandler(i.handler())
		require.NoError(t, err)
		time.Sleep(100 * time.Millisecond)
		before := time.Now()
		i.source().Modify(configMap("a", "11"))
		synctest.Wait()
		require.Equal(t, []string{"add 1", "update 11, the same object: false"}, i.all())
		require.Equal(t, before, time.Now())
	})
}

// That an informer has synced says that its store is filled. A handler may not have heard of one object yet, and has
// an answer of its own.
//
// covers: B-42
func TestAnInformerHasSyncedBeforeItsHandler(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, 0, configMap("a", "1"))
		defer i.stop()
		release := make(chan struct{})
		handle, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-release }})
		require.NoError(t, err)
		synctest.Wait()
		require.True(t, i.HasSynced())
		require.False(t, handle.HasSynced())
		close(release)
		require.True(t, cache.WaitForCacheSync(t.Context().Done(), handle.HasSynced))
	})
}

// On a re-list an informer's consumer compares with its store: the store is replaced first, then handlers hear of what
// is gone, by a tombstone, then of the rest.
//
// covers: B-33 S4-16
func TestTheConsumerFindsWhatIsGone(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(t, 0, configMap("a", "1"), configMap("b", "2"))
		defer i.stop()
		keys := func() string { return fmt.Sprint(len(i.GetStore().ListKeys())) }
		_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { i.hear("add %s, the store has %s", o.(*corev1.ConfigMap).Name, keys()) },
			UpdateFunc: func(_, o any) { i.hear("update %s, the store has %s", o.(*corev1.ConfigMap).Name, keys()) },
			DeleteFunc: func(o any) {
				assert.IsType(t, cache.DeletedFinalStateUnknown{}, o, "a value, which no case of a pointer matches")
				i.hear("%s, the store has %s", told(cache.Delta{Type: cache.Deleted, Object: o}), keys())
			},
		})
		require.NoError(t, err)
		synctest.Wait()
		i.relist(configMap("a", "1"))
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"Deleted tombstone of d/b with b@2, the store has 1", "update a, the store has 1"},
			i.all())
	})
}
