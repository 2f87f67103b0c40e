package informer_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// begin runs something, until the returned function is called.
func begin(ctx context.Context, i interface{ RunWithContext(context.Context) }) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { i.RunWithContext(ctx) })
	synctest.Wait()
	return func() {
		cancel()
		running.Wait()
	}
}

// An error of what processes changes is dropped by client-go's controller, and logged by ours.
func TestAnErrorOfProcessIsLogged(t *testing.T) {
	for name, create := range map[string]func(*cache.Config) cache.Controller{
		"ours": informer.NewController, "upstream": cache.New} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				processed := 0
				process := func(any, bool) error {
					processed++
					return errors.New("the store is full")
				}
				controller := create(&cache.Config{
					Queue: cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
						KeyFunction: cache.MetaNamespaceKeyFunc, AtomicEvents: true}),
					ListerWatcher: fill(3).listerWatcher(), ObjectType: &corev1.ConfigMap{}, Process: process,
				})
				var log logged
				defer begin(klog.NewContext(t.Context(), funcr.New(log.add, funcr.Options{})), controller)()
				require.Equal(t, 1, processed)
				require.Equal(t, name == "ours", strings.Contains(log.String(), "the store is full"), log.String())
			})
		})
	}
}

// logged is what was logged.
type logged struct {
	mu   sync.Mutex
	text string
}

func (l *logged) add(prefix, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += prefix + args + "\n"
}

// String is all of it.
func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}

// strip is a transform that takes the version away, in place.
func strip(object any) (any, error) {
	object.(*corev1.ConfigMap).ResourceVersion = ""
	return object, nil
}

// Where a transform strips the versions, an informer with a resync period keeps changes from handlers that have none.
// Ours does not: two objects without a version are a change.
func TestAChangeWithoutVersions(t *testing.T) {
	for name, create := range implementations {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := watch.NewFakeWithChanSize(20, false)
				i := create(source(w, "a"), 10*time.Second, nil)
				require.NoError(t, i.SetTransform(strip))
				updates := 0
				_, err := i.AddEventHandlerWithResyncPeriod(
					cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { updates++ }}, 0)
				require.NoError(t, err)
				_, err = i.AddEventHandler(cache.ResourceEventHandlerFuncs{}) // wants resyncs
				require.NoError(t, err)
				defer begin(t.Context(), i)()
				time.Sleep(15 * time.Second) // it has looked who wants one
				w.Modify(configMap("a", "2"))
				synctest.Wait()
				require.Equal(t, map[string]int{"ours": 1, "upstream": 0}[name], updates)
				require.Equal(t, "2", i.LastSyncResourceVersion())
			})
		})
	}
}

// While ours stops, a handler can be removed, also one that is in a call. In upstream's the removal would wait for that
// call.
func TestARemovalWhileTheInformerStops(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := informer.New(source(watch.NewFakeWithChanSize(20, false), "a"), &corev1.ConfigMap{}, informer.Options{})
		release := make(chan struct{})
		registration, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-release }})
		require.NoError(t, err)
		stop := begin(t.Context(), i)
		stopped := make(chan struct{})
		go func() { defer close(stopped); stop() }()
		synctest.Wait()
		require.NoError(t, i.RemoveEventHandler(registration))
		select {
		case <-stopped:
			t.Error("Run has returned, and a handler has not")
		default:
		}
		close(release)
		<-stopped
	})
}

// Before the informer has synced, upstream's has three goroutines for each handler, and ours two.
func TestTheGoroutinesOfAHandler(t *testing.T) {
	for name, create := range implementations {
		t.Run(name, func(t *testing.T) {
			count := map[int]int{} // goroutines, by handlers
			for _, handlers := range []int{1, 3} {
				testkit.Bubble(t, func(t *testing.T) {
					silent := watch.NewFake()
					i := create(&cache.ListWatch{WatchFuncWithContext: func(context.Context, metav1.ListOptions) (
						watch.Interface, error) {
						return silent, nil
					}}, 0, nil)
					for range handlers {
						_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{})
						require.NoError(t, err)
					}
					defer begin(t.Context(), i)()
					require.False(t, i.HasSynced())
					count[handlers] = goroutines()
				})
			}
			require.Equal(t, map[string]int{"ours": 2, "upstream": 3}[name], (count[3]-count[1])/2)
		})
	}
}

// bubble names the bubble of a goroutine, in its stack.
var bubble = regexp.MustCompile(`synctest bubble \d+\]`)

// goroutines is how many the bubble of the caller has.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	text := string(stacks[:runtime.Stack(stacks, true)])
	return strings.Count(text, bubble.FindString(text)) // the caller's own stack comes first
}

// A handler that is nil is an error of ours. Upstream takes it.
func TestAHandlerThatIsNil(t *testing.T) {
	for name, create := range implementations {
		_, err := create(fill(1).listerWatcher(), 0, nil).AddEventHandler(nil)
		require.Equal(t, name == "ours", err != nil, name)
	}
}

// An object that is deleted and created again under its name is two notifications where a watch tells of it, and one
// update where a list does. A deletion that a list makes known is a tombstone. Both informers do so.
func TestAnotherObjectUnderOneKey(t *testing.T) {
	for name, create := range implementations {
		t.Run(name, func(t *testing.T) {
			underLoad(t, create, 2, func(t *testing.T, l *load) {
				var heard []string
				_, err := l.informer.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{
					AddFunc: func(object any) { heard = append(heard, "add "+described(object)) },
					UpdateFunc: func(old, object any) {
						heard = append(heard, "update "+described(old)+" "+described(object))
					},
					DeleteFunc: func(object any) { heard = append(heard, "delete "+described(object)) },
				}, 0)
				require.NoError(t, err)
				synctest.Wait()
				require.ElementsMatch(t, []string{"add cm-0@1 uid-1", "add cm-1@2 uid-2"}, heard)
				heard = nil
				l.delete(0)
				l.put(0)
				synctest.Wait()
				require.Equal(t, []string{"delete cm-0@3 uid-1", "add cm-0@4 uid-4"}, heard, "by a watch")
				heard = nil
				l.lose(func() {
					l.delete(0)
					l.put(0)
					l.delete(1)
				})
				settle()
				require.Equal(t, []string{"delete tombstone of cm-1@2 uid-2", "update cm-0@4 uid-4 cm-0@6 uid-6"},
					heard, "by a list")
			})
		})
	}
}

func described(object any) string {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return "tombstone of " + described(tombstone.Obj)
	}
	c := object.(*corev1.ConfigMap)
	return fmt.Sprintf("%s@%s %s", c.Name, c.ResourceVersion, c.UID)
}

// The errors of what comes too late say what to do, and upstream's do not. A program that compares their words finds
// others.
func TestTheWordsOfWhatComesTooLate(t *testing.T) {
	for name, want := range map[string][2]string{
		"ours": {"was not added, because the informer has stopped: make another informer",
			"indexers were not added, because the informer has stopped"},
		"upstream": {"was not added to shared informer because it has stopped already",
			"indexer was not added because it has stopped already"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				i := implementations[name](fill(1).listerWatcher(), 0, nil)
				begin(t.Context(), i)()
				_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{})
				require.ErrorContains(t, err, want[0])
				require.EqualError(t, i.AddIndexers(cache.Indexers{"late": panics}), want[1])
			})
		})
	}
}
