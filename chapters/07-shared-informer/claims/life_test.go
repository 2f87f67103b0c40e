package claims

import (
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var (
	bubbled   = regexp.MustCompile(`^goroutine \d+ \[[^\]]*(synctest bubble \d+)\]`)
	createdBy = regexp.MustCompile(`(?s)\ncreated by.*`)
)

// goroutines counts those of this bubble that run client-go's package cache, by the parts of their stacks that it
// knows.
func goroutines(t *testing.T, known ...string) map[string]int {
	t.Helper()
	buf := make([]byte, 1<<20)
	blocks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	own := bubbled.FindStringSubmatch(blocks[0])[1]
	count := map[string]int{}
	for _, block := range blocks {
		stack := createdBy.ReplaceAllString(block, "")
		m := bubbled.FindStringSubmatch(block)
		if m == nil || m[1] != own || !strings.Contains(stack, "client-go/tools/cache.") {
			continue
		}
		i := slices.IndexFunc(known, func(part string) bool { return strings.Contains(stack, part) })
		require.NotEqual(t, -1, i, "a goroutine that nobody expected:\n%s", block)
		count[known[i]]++
	}
	return count
}

// An informer's parts each have a goroutine: the reflector, the loop that pops, the distributor, and each handler has
// two, for its buffer and for its calls. Until the informer has synced there is one more that waits for that, and one
// more for each handler that stays; a handler that has not synced by then has none. Two end the queue and a watch's
// resyncs.
//
// covers: S4-23 S3-03 B-47
func TestTheGoroutinesOfAnInformer(t *testing.T) {
	const (
		loop      = "(*controller).processLoop"
		reflector = "(*Reflector).RunWithContext("
		closer    = "(*controller).RunWithContext.func1"
		processor = "(*sharedProcessor).run("
		waiter    = "(*sharedIndexInformer).RunWithContext.func2"
		resyncs   = "(*Reflector).startResync"
		buffer    = "(*processorListener).pop"
		calls     = "(*processorListener).run("
		synced    = "(*processorListener).watchSynced"
	)
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		list := i.stream
		i.stream = streamed() // which waits, without its end
		<-i.stream.ResultChan()
		release := make(chan struct{})
		stuck, removed := i.add(t, i.stuck("", release)), i.add(t, i.handler(""))
		stop := run(i.RunWithContext)
		defer stop()
		defer close(release)
		all := []string{loop, processor, waiter, resyncs, buffer, calls, synced, reflector, closer}
		require.Equal(t, map[string]int{loop: 1, reflector: 1, closer: 1, processor: 1, waiter: 1, buffer: 2, calls: 2,
			synced: 2}, goroutines(t, all...), "two for each handler would have been the belief")
		i.live().Add(cm("a", "1"))
		require.NoError(t, i.RemoveEventHandler(removed))
		synctest.Wait()
		require.Equal(t, map[string]int{loop: 1, reflector: 1, closer: 1, processor: 1, waiter: 1, buffer: 1, calls: 1,
			synced: 1}, goroutines(t, all...))
		i.live().Action("BOOKMARK", (<-list.ResultChan()).Object)
		synctest.Wait()
		require.False(t, stuck.HasSynced())
		require.Equal(t, map[string]int{loop: 1, reflector: 1, closer: 1, processor: 1, resyncs: 1, buffer: 1,
			calls: 1}, goroutines(t, all...), "one that waits for the handler would have been the belief")
	})
}

// Before it runs an informer has neither queue nor controller, and asks for nothing. Then it can no longer be given
// what its controller is made of.
//
// covers: S4-23
func TestRunMakesTheQueueAndTheController(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		time.Sleep(time.Hour)
		require.Equal(t, 0, i.asked())
		require.Empty(t, i.LastSyncResourceVersion())
		require.NoError(t, i.SetTransform(func(o any) (any, error) { return o, nil }))
		stop := run(i.RunWithContext)
		defer stop()
		require.Equal(t, "10", i.LastSyncResourceVersion())
		require.EqualError(t, i.SetTransform(nil), "informer has already started")
		require.EqualError(t, i.SetWatchErrorHandler(nil), "informer has already started")
		i.RunWithContext(t.Context()) // a second Run returns at once, and only the log knows
		require.Equal(t, 1, i.asked())
	})
}

// What GetController returns runs nothing. It answers for the informer, and that is all.
//
// covers: B-47
func TestTheControllerOfASharedInformerIsADummy(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		i.GetController().RunWithContext(t.Context()) // returns
		i.GetController().Run(nil)
		require.Equal(t, 0, i.asked(), "a Run would have been the belief")
		stop := run(i.RunWithContext)
		defer stop()
		require.True(t, i.GetController().HasSynced())
		require.Equal(t, "10", i.GetController().LastSyncResourceVersion())
	})
}

// A context ends an informer, and a stop channel is turned into one. Run returns when all has ended. Then it takes no
// handler and no index any more, and does not run again; its store can still be read.
//
// covers: B-59 S4-24
func TestACancelledContextEndsAnInformer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		run(i.RunWithContext)()
		require.True(t, i.IsStopped())
		_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{})
		require.ErrorContains(t, err, "was not added to shared informer because it has stopped already")
		require.Error(t, i.AddIndexers(cache.Indexers{}))
		require.Equal(t, "1", has(t, i.GetStore(), "a"))
		asked := i.asked()
		i.RunWithContext(t.Context()) // returns
		require.Equal(t, asked, i.asked())
		require.Empty(t, goroutines(t))

		stop := make(chan struct{})
		old := newInformed(0, cm("a", "1"))
		done := make(chan struct{})
		go func() { defer close(done); old.Run(stop) }()
		synctest.Wait()
		close(stop)
		<-done
		require.True(t, old.IsStopped())
		require.NotNil(t, wait.ContextForChannel(stop).Err(), "what Run makes of it")
	})
}

// The controller stops first, and then the handlers are told to. Run waits for each to return from the call that it is
// in. What waits in its buffer is dropped.
//
// covers: S4-24
func TestStoppingDropsWhatWaits(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		release := make(chan struct{})
		registration := i.add(t, i.stuck("", release))
		stop := run(i.RunWithContext)
		for _, name := range []string{"a", "b", "c"} {
			i.live().Add(cm(name, "11"))
		}
		synctest.Wait()
		require.Equal(t, 1, waiting(registration))
		stopped := make(chan struct{})
		go func() { defer close(stopped); stop() }()
		time.Sleep(time.Hour)
		require.True(t, i.IsStopped(), "the controller has")
		select {
		case <-stopped:
			t.Error("Run has returned, and a handler has not")
		default:
		}
		close(release)
		<-stopped
		require.Equal(t, []string{"add a@11"}, i.new(), "all three would have been the belief")
	})
}
