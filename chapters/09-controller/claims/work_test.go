package claims

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// bench is one worker, with a run that notes what it is called for.
type bench struct {
	mirror.Work
	do       func(mirror.Key) error
	ran      []mirror.Key
	at       []time.Duration // since the first
	reported []error
	first    time.Time
}

func newBench(parts mirror.Parts) *bench {
	b := &bench{do: func(mirror.Key) error { return nil }}
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[mirror.Key](time.Second, time.Minute)
	b.Work = mirror.Work{Workers: 1, Queue: parts.Queue(limiter),
		Report: func(_ mirror.Key, err error) { b.reported = append(b.reported, err) },
		Reconcile: func(_ context.Context, key mirror.Key) error {
			if b.first.IsZero() {
				b.first = time.Now()
			}
			b.ran, b.at = append(b.ran, key), append(b.at, time.Since(b.first))
			return b.do(key)
		}}
	return b
}

// start has the worker work until the test ends.
func (b *bench) start(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(cancel)
	return stop
}

// signal is a cache that syncs when the test says so.
type signal chan struct{}

func (s signal) Name() string          { return "the cache" }
func (s signal) Done() <-chan struct{} { return s }

// Whatever fails comes to one place. The error is told, and the key comes again, later each time, until it succeeds. A
// run that reports an error by itself and returns nil has said that all is well: it is not called again.
//
// covers: S2-08
func TestErrorsComeToOnePlace(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		returned, swallowed := newBench(mirror.Book()), newBench(mirror.Book())
		returned.do = func(mirror.Key) error {
			if len(returned.ran) < 4 {
				return errors.New("not yet")
			}
			return nil
		}
		for _, b := range []*bench{returned, swallowed} {
			b.Queue.Add(key("north", "menu"))
			b.start(t)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}, returned.at)
		require.Len(t, returned.reported, 3)
		require.Zero(t, returned.Queue.NumRequeues(key("north", "menu")), "it has succeeded, and is forgotten")
		require.Len(t, swallowed.ran, 1)
	})
}

// Start an informer, wait for its cache, run workers: in that order. What waits in the queue is not handed out before.
// At the end the run that is under way is waited for.
//
// covers: S1-22 S2-07
func TestWorkersBeginWhenTheCachesAreFilled(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		menu := source("home", "menu", "soup")
		empty, filled := written(nil), written([]string{"north"}, menu)
		for _, p := range []*paper{empty, filled} {
			p.put(mirrorOf(menu, "north"))
		}
		sees := empty // what the cache shows: before its namespaces have come, none asks
		b := newBench(mirror.Book())
		b.do = func(place mirror.Key) error { return mirror.Reconcile(t.Context(), place, sees, sees) }
		synced := make(signal)
		b.Synced = []cache.DoneChecker{synced}
		b.Queue.Add(key("north", "menu"))
		stop := b.start(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Empty(t, b.ran)

		sees = filled
		close(synced)
		synctest.Wait()
		require.Len(t, b.ran, 1)
		require.Empty(t, filled.writes)

		require.NoError(t, mirror.Reconcile(t.Context(), key("north", "menu"), empty, empty))
		require.Equal(t, []string{"delete north/menu"}, empty.writes, "and before that it would have been deleted")

		began, goOn := make(chan struct{}), make(chan struct{})
		b.do = func(mirror.Key) error { close(began); <-goOn; return nil }
		b.Queue.Add(key("north", "menu"))
		<-began
		ended := make(chan struct{})
		go func() { stop(); close(ended) }()
		synctest.Wait()
		select {
		case <-ended:
			t.Fatal("Run returned while a run was under way")
		default:
		}
		close(goOn)
		<-ended
	})
}

// A conflict says that the cache was behind. It comes again as each failure does, and nobody is told. That does not
// depend on its text, nor on whether the run has put words around it.
//
// covers: S1-24
func TestConflictsAreNotReported(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		refusals := []error{conflict("the object has been modified"),
			fmt.Errorf("saving the mirror: %w", conflict("something else")),
			errors.New("the object has been modified; please apply your changes to the latest version and try again")}
		b := newBench(mirror.Book())
		b.do = func(mirror.Key) error {
			if n := len(b.ran); n <= len(refusals) {
				return refusals[n-1]
			}
			return nil
		}
		b.Queue.Add(key("north", "menu"))
		b.start(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Len(t, b.ran, 4)
		require.Equal(t, refusals[2:], b.reported, "the last has a conflict's words, and is none")
	})
}

// A conflict that comes again and again is not reported either: the key comes back each minute, and nobody is told.
//
// covers: S1-24
func TestAConflictThatRepeats(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		b := newBench(mirror.Book())
		b.do = func(mirror.Key) error { return conflict("the object has been modified") }
		b.Queue.Add(key("north", "menu"))
		b.start(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Greater(t, len(b.ran), 60)
		require.Empty(t, b.reported)
	})
}

// WaitForCacheSync looks ten times a second whether a cache has synced; WaitFor is told.
//
// covers: B-55
func TestWaitForDoesNotPoll(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		const syncs = 250 * time.Millisecond
		begin := time.Now()
		synced := make(signal)
		time.AfterFunc(syncs, func() { close(synced) })
		require.True(t, cache.WaitFor(t.Context(), "", synced))
		require.Equal(t, syncs, time.Since(begin))

		begin = time.Now()
		require.True(t, cache.WaitForCacheSync(t.Context().Done(), func() bool { return time.Since(begin) >= syncs }))
		require.Equal(t, 300*time.Millisecond, time.Since(begin))
	})
}
