package workqueuetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// key is an item, and what the goroutines know of it.
type key struct {
	added  atomic.Int64 // counted before each add
	seen   atomic.Int64 // what of it the latest run has seen as it began
	worker atomic.Bool  // has it
	shared atomic.Bool  // two workers have had it at once
	runs   atomic.Int64
}

// newKeys are so many keys by their names.
func newKeys(n int) map[string]*key {
	all := map[string]*key{}
	for i := range n {
		all[fmt.Sprint(i)] = &key{}
	}
	return all
}

// concurrent lets goroutines add a few keys in each way there is, while others process them, round after round. No key
// may be with two workers, and after the last add of each a run has to begin. It returns what was otherwise, or "".
func concurrent(newQueue New) (wrong string) {
	const workers, rounds = 8, 300
	queue := newQueue(&seconds{failures: map[string]int{}})
	all := newKeys(10)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() { work(queue, all) })
	}
	defer working.Wait()
	defer queue.ShutDown()
	for range rounds {
		addAll(queue, all)
		time.Sleep(time.Minute)
		synctest.Wait()
		if wrong := check(all); wrong != "" {
			return "goroutines at once\n" + wrong
		}
	}
	return ""
}

// check returns what is otherwise when all is processed, or "".
func check(all map[string]*key) (wrong string) {
	for item, k := range all {
		switch added, seen := k.added.Load(), k.seen.Load(); {
		case k.shared.Load():
			return fmt.Sprintf("expected %s with one worker\nhappened with two", item)
		case added != seen:
			return fmt.Sprintf("expected a run of %s after %d adds\nhappened the last after %d", item, added, seen)
		}
	}
	return ""
}

// Load has sixteen workers process a thousand keys, while sixteen goroutines add them so often in all, and now and then
// with a delay. No key may be with two workers, and after the last add of each a run has to begin. It shuts the queue
// down, and returns how many runs there were. It is called in a bubble.
func Load(t *testing.T, queue workqueue.TypedRateLimitingInterface[string], adds int) (runs int64) {
	const goroutines, keys = 16, 1000
	all := newKeys(keys)
	names := slices.Collect(maps.Keys(all))
	var working, adding sync.WaitGroup
	for range goroutines {
		working.Go(func() { work(queue, all) })
		adding.Go(func() {
			for i := range adds / goroutines {
				item := names[rand.IntN(keys)]
				all[item].added.Add(1)
				if i%100 == 0 {
					queue.AddAfter(item, time.Duration(rand.IntN(5))*time.Millisecond)
				} else {
					queue.Add(item)
				}
			}
		})
	}
	adding.Wait()
	time.Sleep(time.Minute)
	synctest.Wait()
	queue.ShutDownWithDrain()
	working.Wait()
	if wrong := check(all); wrong != "" {
		t.Error(wrong)
	}
	for _, k := range all {
		runs += k.runs.Load()
	}
	return runs
}

// work processes what there is, until the end.
func work(queue workqueue.TypedRateLimitingInterface[string], all map[string]*key) {
	for item, end := queue.Get(); !end; item, end = queue.Get() {
		k := all[item]
		if !k.worker.CompareAndSwap(false, true) {
			k.shared.Store(true)
		}
		k.seen.Store(k.added.Load())
		k.runs.Add(1)
		runtime.Gosched()
		k.worker.Store(false)
		queue.Forget(item)
		queue.Done(item)
	}
}

// addAll adds each item a few times, from several goroutines.
func addAll(queue workqueue.TypedRateLimitingInterface[string], all map[string]*key) {
	var adding sync.WaitGroup
	for adder := range 4 {
		adding.Go(func() {
			i := adder
			for item, k := range all {
				i++
				k.added.Add(1)
				switch i % 7 {
				case 0:
					queue.AddAfter(item, time.Duration(adder)*time.Millisecond)
				case 1:
					queue.AddRateLimited(item)
				default:
					queue.Add(item)
				}
				runtime.Gosched()
			}
		})
	}
	adding.Wait()
}
