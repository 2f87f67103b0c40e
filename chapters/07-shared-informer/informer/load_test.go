package informer_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// implementations are what the load is for. What ours promises and upstream does not is asked of ours alone.
var implementations = map[string]create{"ours": ourInformer, "upstream": theirInformer}

// underLoad runs a test with a running informer, in a bubble. It ends the informer.
func underLoad(t *testing.T, create create, objects int, test func(t *testing.T, l *load)) {
	t.Helper()
	limit := testkit.BubbleLimit
	testkit.BubbleLimit = 5 * time.Minute // of real time: other programs may run, too
	defer func() { testkit.BubbleLimit = limit }()
	testkit.Bubble(t, func(t *testing.T) {
		l := &load{collection: fill(objects)}
		l.informer = create(l.listerWatcher(), 10*time.Second, cache.Indexers{"n": byNumber})
		l.start(t.Context())
		defer l.stop()
		synctest.Wait()
		require.True(t, l.informer.HasSynced())
		test(t, l)
	})
}

// underEachLoad is underLoad with each implementation.
func underEachLoad(t *testing.T, objects int, test func(t *testing.T, l *load)) {
	for name, create := range implementations {
		t.Run(name, func(t *testing.T) { underLoad(t, create, objects, test) })
	}
}

// byNumber is an index function.
func byNumber(object any) ([]string, error) {
	return []string{object.(*corev1.ConfigMap).Data["n"]}, nil
}

// load is an informer and a collection that changes.
type load struct {
	*collection
	informer cache.SharedIndexInformer
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

func (l *load) start(ctx context.Context) {
	ctx, l.cancel = context.WithCancel(ctx)
	l.running.Go(func() { l.informer.RunWithContext(ctx) })
}

// stop returns when the informer has stopped.
func (l *load) stop() {
	l.cancel()
	l.running.Wait()
}

// change makes so many random changes to so many objects, and calls at before each. Now and then the connection is lost
// for some changes; then it lets time pass.
func (l *load) change(changes, objects int, at func(i int)) {
	for i := range changes {
		at(i)
		object := rand.IntN(objects)
		switch rand.IntN(10) {
		case 0:
			l.delete(object)
		case 1:
			l.delete(object)
			l.put(object)
		default:
			l.put(object)
		}
		if i%500 == 250 {
			l.lose(func() {
				for range 10 {
					l.delete(rand.IntN(objects))
					l.put(rand.IntN(objects))
				}
			})
			settle()
		}
	}
}

// settle returns when an informer has connected again, also if it did so a few times in a row, and nothing moves.
func settle() {
	time.Sleep(time.Minute)
	synctest.Wait()
}

// handlersGoroutines is how many goroutines work for a handler, of ours or of upstream's.
func handlersGoroutines() (n int) {
	stacks := make([]byte, 8<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, stack := range bytes.Split(stacks, []byte("\n\n")) {
		if bytes.Contains(stack, []byte("informer.(*Registration).start")) ||
			bytes.Contains(stack, []byte("cache.(*processorListener)")) {
			n++
		}
	}
	return n
}

// Fifty handlers join while a thousand objects change. Each hears of every object once as one of the initial list, and
// of each change after it.
func TestManyJoinWhileObjectsChange(t *testing.T) {
	const objects, changes, joining = 1000, 2000, 50
	underEachLoad(t, objects, func(t *testing.T, l *load) {
		witnesses := []*witness{join(t, l.informer, l.collection, 10*time.Second)}
		moments := map[int]int{}
		for range joining {
			moments[rand.IntN(changes)]++
		}
		var mu sync.Mutex
		var others sync.WaitGroup
		done := make(chan struct{})
		for reader := range 3 {
			others.Go(func() { l.read(t, reader, done) })
		}
		l.change(changes, objects, func(i int) {
			for range moments[i] {
				others.Go(func() {
					w := join(t, l.informer, l.collection, 0)
					mu.Lock()
					defer mu.Unlock()
					witnesses = append(witnesses, w)
				})
			}
		})
		close(done)
		others.Wait()
		settle()
		storeAgrees(t, l.collection, l.informer.GetStore())
		require.Len(t, witnesses, joining+1)
		for _, w := range witnesses {
			w.agree(t)
			require.NotZero(t, w.initial)
		}
	})
}

// read asks the store again and again, and adds indexes.
func (l *load) read(t *testing.T, reader int, done <-chan struct{}) {
	store := l.informer.GetIndexer()
	for i := 0; ; i++ {
		select {
		case <-l.next():
		case <-done:
			return
		}
		index := fmt.Sprintf("%d by %d", i/50, reader)
		if i%50 == 0 && i < 1000 {
			if err := l.informer.AddIndexers(cache.Indexers{index: byNumber}); err != nil {
				t.Errorf("AddIndexers: %v", err)
			}
		}
		objects, err := store.ByIndex("n", "3")
		if err != nil {
			t.Errorf("ByIndex: %v", err)
		}
		for _, object := range objects {
			if n := object.(*corev1.ConfigMap).Data["n"]; n != "3" {
				t.Errorf("ByIndex found an object of %s under 3", n)
			}
		}
		if i%50 == 0 && len(store.List()) == 0 {
			t.Error("List found nothing")
		}
	}
}

// Handlers come and go while objects change. None hears anything once cache.ShutDownEventHandler has returned, and
// nothing of them is left.
func TestHandlersComeAndGo(t *testing.T) {
	const objects, changes, visitors, visits = 100, 3000, 8, 25
	underEachLoad(t, objects, func(t *testing.T, l *load) {
		stays := join(t, l.informer, l.collection, 10*time.Second)
		synctest.Wait()
		before := handlersGoroutines()
		done := make(chan struct{})
		var all []*witness
		var mu sync.Mutex
		var visiting sync.WaitGroup
		for range visitors {
			visiting.Go(func() {
				for range visits {
					w := join(t, l.informer, l.collection, 0)
					for range rand.IntN(20) {
						select {
						case <-l.next():
						case <-done:
						}
					}
					if err := cache.ShutDownEventHandler(l.informer, w.registration); err != nil {
						t.Errorf("ShutDownEventHandler: %v", err)
					}
					w.removed.Store(true)
					if w.calling.Load() > 0 {
						t.Error("ShutDownEventHandler has returned during a call")
					}
					mu.Lock()
					all = append(all, w)
					mu.Unlock()
				}
			})
		}
		l.change(changes, objects, func(int) {})
		close(done)
		visiting.Wait()
		settle()
		require.Equal(t, before, handlersGoroutines(), "goroutines of handlers")
		require.Len(t, all, visitors*visits)
		heard := 0
		for _, w := range all {
			w.mu.Lock()
			require.Empty(t, w.wrong)
			heard += w.calls
			w.mu.Unlock()
		}
		require.Greater(t, heard, 1000, "notifications of all who came")
		stays.agree(t)
		storeAgrees(t, l.collection, l.informer.GetStore())
	})
}

// A handler that does not return keeps nobody waiting, and misses nothing. What waited for it is given back to the
// memory.
func TestABlockedHandlerDelaysNobody(t *testing.T) {
	const objects, changes, megabyte = 1000, 100_000, 1 << 20
	underLoad(t, ourInformer, objects, func(t *testing.T, l *load) {
		quick := join(t, l.informer, l.collection, 0)
		release := make(chan struct{})
		versions := make([]int, 0, changes)
		blocked, err := l.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, object any) {
			<-release
			versions = append(versions, versionOf(object))
		}})
		require.NoError(t, err)
		synctest.Wait()
		heap := heapAlloc()
		began := time.Now()
		for i := range changes {
			l.put(i % objects)
		}
		synctest.Wait()
		l.forget()
		require.Zero(t, time.Since(began), "virtual time: somebody had to wait")
		quick.agree(t)
		storeAgrees(t, l.collection, l.informer.GetStore())
		waiting := blocked.(*informer.Registration).Waiting
		require.Equal(t, changes-1, waiting(), "all but the one that it is given")
		require.Greater(t, heapAlloc(), heap+20*megabyte, "what waits")

		close(release)
		synctest.Wait()
		require.Len(t, versions, changes)
		for i, version := range versions {
			require.Equal(t, objects+1+i, version, "notification %d", i)
		}
		require.Zero(t, waiting())
		require.Less(t, heapAlloc(), heap+10*megabyte, "when nothing waits any more")
	})
}

// heapAlloc is what is reachable.
func heapAlloc() uint64 {
	runtime.GC()
	runtime.GC() // what the first has freed of pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An informer can be stopped at any moment. It returns when all handlers have, no handler hears anything after that,
// and nobody who comes then waits for ever.
func TestStopInTheMiddle(t *testing.T) {
	const objects, changes, rounds = 50, 300, 20
	for round := range rounds {
		underEachLoad(t, objects, func(t *testing.T, l *load) {
			witnesses := []*witness{join(t, l.informer, l.collection, 10*time.Second)}
			end := rand.IntN(changes)
			var mu sync.Mutex
			var others sync.WaitGroup
			l.change(changes, objects, func(i int) {
				if i == end {
					others.Go(l.stop)
				}
				if i%10 != round%10 {
					return
				}
				others.Go(func() {
					w := newWitness(l.collection, l.informer.GetIndexer())
					registration, err := l.informer.AddEventHandler(w)
					if err != nil {
						return // it has stopped
					}
					_ = l.informer.AddIndexers(cache.Indexers{fmt.Sprint(i): byNumber})
					if i%20 == round%10 {
						_ = cache.ShutDownEventHandler(l.informer, registration)
					}
					mu.Lock()
					defer mu.Unlock()
					w.registration = registration
					witnesses = append(witnesses, w)
				})
			})
			others.Wait()
			require.True(t, l.informer.IsStopped())
			for _, w := range witnesses {
				w.removed.Store(true)
				<-w.registration.(interface{ ShutdownChan() <-chan struct{} }).ShutdownChan()
			}
			l.change(10, objects, func(int) {})
			settle()
			for _, w := range witnesses {
				require.Empty(t, w.wrong)
			}
			_, err := l.informer.AddEventHandler(newWitness(l.collection, l.informer.GetIndexer()))
			require.Error(t, err, "a handler that comes after the end")
		})
	}
}
