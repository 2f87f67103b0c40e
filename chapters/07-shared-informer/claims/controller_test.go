package claims

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// controlled is a controller of client-go's whose deltas the test processes.
func controlled(o *origin, process cache.ProcessFunc) cache.Controller {
	queue := cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{KeyFunction: cache.MetaNamespaceKeyFunc,
		AtomicEvents: true, UnlockWhileProcessing: true}) // as an informer's
	return cache.New(&cache.Config{ListerWatcher: o, ObjectType: &corev1.ConfigMap{}, Process: process, Queue: queue})
}

// A cache.Controller is no controller: it decides nothing and writes nothing. It makes a reflector that fills its
// queue, and hands what it pops to a function. Of the reflector it tells the last version, once there is one.
//
// covers: S1-04 S4-01 B-47
func TestAControllerPopsAndProcesses(t *testing.T) {
	require.Equal(t, 5, reflect.TypeFor[cache.Controller]().NumMethod(), "three would have been the belief")
	testkit.Bubble(t, func(t *testing.T) {
		var h diary
		o := serve(cm("a", "1"))
		controller := controlled(o, func(popped any, isInInitialList bool) error {
			for _, delta := range popped.(cache.Deltas) {
				h.note("%s, initial: %t", delta.Type, isInInitialList)
			}
			return nil
		})
		require.Empty(t, controller.LastSyncResourceVersion())
		require.False(t, controller.HasSynced())
		stop := run(controller.RunWithContext)
		defer stop()
		require.Equal(t, "10", controller.LastSyncResourceVersion())
		require.True(t, controller.HasSynced())
		o.live().Modify(cm("a", "11"))
		require.Equal(t, []string{"ReplacedAll, initial: true", "Updated, initial: false"}, h.new())
		require.Equal(t, "11", controller.LastSyncResourceVersion())
	})
}

// Of the versions that one can ask for, a controller's, and so an informer's, is what its reflector has queued. What
// has been processed may be older, and the store has a version of its own.
//
// covers: C-03
func TestTheReflectorIsAheadOfTheStore(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		o, release := serve(), make(chan struct{})
		controller := controlled(o, func(popped any, _ bool) error {
			if popped.(cache.Deltas)[0].Type == cache.Added {
				<-release // and would be stored now
			}
			return nil
		})
		stop := run(controller.RunWithContext)
		defer stop()
		defer close(release)
		o.live().Add(cm("a", "11"))
		o.live().Add(cm("b", "12"))
		synctest.Wait()
		require.Equal(t, "12", controller.LastSyncResourceVersion(), "and a is not stored yet")
	})
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		require.Empty(t, i.GetStore().LastStoreSyncResourceVersion())
		stop := run(i.RunWithContext)
		defer stop()
		version := func() string { synctest.Wait(); return i.GetStore().LastStoreSyncResourceVersion() }
		require.Equal(t, "10", version(), "the list's")
		i.live().Modify(cm("a", "11"))
		require.Equal(t, "11", version())
		i.live().Delete(cm("a", "12"))
		require.Equal(t, "12", version())
		i.live().Action("BOOKMARK", cm("", "20"))
		require.Equal(t, "20", version(), "it moves while nothing happens to what one watches")
	})
}

// An error of the function that processes is dropped: nobody is told, the delta does not come again, and the next one
// does.
func TestAnErrorOfProcessIsDropped(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		var h diary
		o := serve()
		controller := controlled(o, func(popped any, _ bool) error {
			h.note("%s", popped.(cache.Deltas)[0].Type)
			return errors.New("as a store's")
		})
		logged := capture(t)
		stop := run(controller.RunWithContext)
		defer stop()
		o.live().Add(cm("a", "11"))
		o.live().Modify(cm("a", "12"))
		require.Equal(t, []string{"ReplacedAll", "Added", "Updated"}, h.new())
		require.True(t, controller.HasSynced(), "with a list that was not stored")
		require.NotContains(t, logged(), "as a store's")
	})
}

// capture returns what klog has written since.
func capture(t *testing.T) (logged func() string) {
	var mu sync.Mutex
	var lines strings.Builder
	klog.SetLogger(funcr.New(func(prefix, args string) {
		mu.Lock()
		defer mu.Unlock()
		lines.WriteString(prefix + args + "\n")
	}, funcr.Options{}))
	t.Cleanup(func() { klog.SetLogger(logr.Discard()) })
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return lines.String()
	}
}

// There is no type Informer. NewInformer returns a store and a controller that fills it and calls a handler.
//
// covers: S4-06
func TestAnInformerIsAStoreAndAController(t *testing.T) {
	f := reflect.TypeOf(cache.NewInformerWithOptions)
	require.Equal(t, []reflect.Type{reflect.TypeFor[cache.Store](), reflect.TypeFor[cache.Controller]()},
		[]reflect.Type{f.Out(0), f.Out(1)})
	testkit.Bubble(t, func(t *testing.T) {
		var h diary
		store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: serve(cm("a", "1")), ObjectType: &corev1.ConfigMap{}, Handler: h.handler("")})
		defer run(controller.RunWithContext)()
		require.Equal(t, []string{"add a@1"}, h.new())
		require.Equal(t, "1", has(t, store, "a"))
	})
}

// Whether a handler hears of an addition or of an update is not the event's to say but the store's: what it has not is
// added, what it has is updated.
//
// covers: S4-07
func TestTheStoreDecidesWhatIsAnUpdate(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		require.NoError(t, i.GetStore().Add(cm("known", "1"))) // as nobody should
		i.add(t, i.handler(""))
		i.stream = streamed(cm("known", "2"), cm("a", "3"))
		stop := run(i.RunWithContext)
		defer stop()
		require.ElementsMatch(t, []string{"update known@1 to known@2", "add a@3"}, i.new(),
			"of a list, which says neither")
		i.live().Modify(cm("unknown", "11"))
		i.live().Add(cm("a", "12"))
		i.live().Delete(cm("never seen", "13"))
		told := i.new()
		require.NotContains(t, told, "add a@12", "as the event says would have been the belief")
		require.Equal(t, []string{"add unknown@11", "update a@3 to a@12", "delete never seen@13"}, told)
	})
}

// A filter in front of a handler makes additions and deletions of updates: what begins to pass was added, and what no
// longer passes was deleted, with the state that passed last.
func TestAFilterMakesOtherEvents(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		i.add(t, cache.FilteringResourceEventHandler{Handler: i.handler(""), FilterFunc: func(o any) bool {
			return len(o.(*corev1.ConfigMap).ResourceVersion) == 2 // up to 99
		}})
		stop := run(i.RunWithContext)
		defer stop()
		for _, version := range []int{11, 12, 100, 101} {
			i.live().Modify(cm("a", fmt.Sprint(version)))
			synctest.Wait()
		}
		require.Equal(t, []string{"add a@11", "update a@11 to a@12", "delete a@12"}, i.new())
	})
}
