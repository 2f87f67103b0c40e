package workqueuetest

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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
}

// concurrent lets goroutines add a few keys in each way there is, while others process them, round after round. No key
// may be with two workers, and after the last add of each a run has to begin. It returns what was otherwise, or "".
func concurrent(newQueue New) (wrong string) {
	const workers, keys, rounds = 8, 10, 300
	queue := newQueue(&seconds{failures: map[string]int{}})
	all := map[string]*key{}
	for i := range keys {
		all[fmt.Sprint(i)] = &key{}
	}
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
		for item, k := range all {
			switch added, seen := k.added.Load(), k.seen.Load(); {
			case k.shared.Load():
				return fmt.Sprintf("goroutines at once\nexpected %s with one worker\nhappened with two", item)
			case added != seen:
				return fmt.Sprintf("goroutines at once\nexpected a run of %s after %d adds\nhappened the last after %d",
					item, added, seen)
			}
		}
	}
	return ""
}

// work processes what there is, until the end.
func work(queue workqueue.TypedRateLimitingInterface[string], all map[string]*key) {
	for item, end := queue.Get(); !end; item, end = queue.Get() {
		k := all[item]
		if !k.worker.CompareAndSwap(false, true) {
			k.shared.Store(true)
		}
		k.seen.Store(k.added.Load())
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
