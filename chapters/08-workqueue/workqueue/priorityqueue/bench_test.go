package priorityqueue_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
)

// contenders are what is measured side by side. Upstream's has no name, and so no metrics.
//
//	make bench CH=08
var contenders = []struct {
	name  string
	fresh func() upstream.PriorityQueue[string]
}{
	{"ours", func() upstream.PriorityQueue[string] {
		return priorityqueue.New(priorityqueue.Options[string]{})
	}},
	{"upstream", func() upstream.PriorityQueue[string] { return upstream.New[string]("") }},
}

// keys makes what is queued: the keys of objects.
func keys(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = fmt.Sprint("default/name-", i)
	}
	return made
}

// BenchmarkAddGetDone is the way of one key through the queue; or of a thousand, of which all are added before the
// first is handed out. An operation is one key's way.
func BenchmarkAddGetDone(b *testing.B) {
	for _, n := range []int{1, 1000} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("keys=%d/impl=%s", n, c.name), func(b *testing.B) {
				q, all := c.fresh(), keys(n)
				defer q.ShutDown()
				b.ReportAllocs()
				b.ResetTimer()
				for done := 0; done < b.N; done += n {
					batch := all[:min(n, b.N-done)]
					for _, key := range batch {
						q.Add(key)
					}
					drain(q, len(batch))
				}
			})
		}
	}
}

// drain gets so many items, and is done with each.
func drain(q upstream.PriorityQueue[string], n int) {
	for range n {
		key, _, _ := q.GetWithPriority()
		q.Done(key)
	}
}

// BenchmarkCollapsed is an add of a key that waits already, with the priority that it has. At the end all adds are
// done: upstream's return before.
func BenchmarkCollapsed(b *testing.B) {
	for _, c := range contenders {
		b.Run("impl="+c.name, func(b *testing.B) {
			q := c.fresh()
			defer q.ShutDown()
			for b.Loop() {
				q.Add("default/name")
			}
			require.Equal(b, 1, q.Len())
		})
	}
}

// BenchmarkHandover is from an add to the worker that waits in Get, and back: one key at a time, between two
// goroutines.
func BenchmarkHandover(b *testing.B) {
	for _, c := range contenders {
		b.Run("impl="+c.name, func(b *testing.B) {
			q := c.fresh()
			got := make(chan struct{})
			go func() {
				defer close(got)
				for {
					key, _, shutdown := q.GetWithPriority()
					if shutdown {
						return
					}
					q.Done(key)
					got <- struct{}{}
				}
			}()
			for b.Loop() {
				q.Add("default/name")
				<-got
			}
			q.ShutDown()
			<-got
		})
	}
}

// BenchmarkContended is one add, by sixteen goroutines at once, while sixteen workers get what is added. Each key is
// added once at most, so that all that is added is handed out.
func BenchmarkContended(b *testing.B) {
	for _, c := range contenders {
		b.Run("workers=16/producers=16/impl="+c.name, func(b *testing.B) {
			q, all := c.fresh(), keys(b.N)
			b.ReportAllocs()
			b.ResetTimer()
			contend(q, all)
		})
	}
}

// contend returns when all are done.
func contend(q upstream.PriorityQueue[string], all []string) {
	const workers, producers = 16, 16
	var working, producing, left sync.WaitGroup
	left.Add(len(all))
	for range workers {
		working.Go(func() {
			for {
				key, _, shutdown := q.GetWithPriority()
				if shutdown {
					return
				}
				q.Done(key)
				left.Done()
			}
		})
	}
	for p := range producers {
		producing.Go(func() {
			for i := p; i < len(all); i += producers {
				q.Add(all[i])
			}
		})
	}
	producing.Wait()
	left.Wait() // upstream's drops what is ready when it shuts down
	q.ShutDown()
	working.Wait()
}

// many is how many items are in the queue at once.
const many = 100_000

// BenchmarkPriorities fills a queue with a hundred thousand items of two priorities, every other one of each, until Len
// says so; and it gets all of them, the urgent ones first.
func BenchmarkPriorities(b *testing.B) {
	all := keys(many)
	for _, phase := range []string{"add", "get"} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("phase=%s/items=%d/impl=%s", phase, many, c.name), func(b *testing.B) {
				b.ReportAllocs()
				measured := func(of string) {
					if b.StopTimer(); of == phase {
						b.StartTimer()
					}
				}
				for b.Loop() {
					measured("")
					q := c.fresh()
					runtime.GC() // of the round before
					measured("add")
					fill(q, all)
					require.Equal(b, many, q.Len())
					measured("get")
					drain(q, many)
					measured("")
					q.ShutDown()
					b.StartTimer()
				}
				b.ReportMetric(float64(b.N*many)/b.Elapsed().Seconds(), "items/s")
			})
		}
	}
}

// fill adds items of two priorities.
func fill(q upstream.PriorityQueue[string], all []string) {
	for i, key := range all {
		q.AddWithOpts(upstream.AddOpts{Priority: ptr.To(-100 * (i % 2))}, key)
	}
}

// BenchmarkRaise gives each of a hundred thousand items that are ready a higher priority, as a change does to an item
// that still waits for its turn since the start.
func BenchmarkRaise(b *testing.B) {
	all := keys(many)
	for _, c := range contenders {
		b.Run(fmt.Sprintf("items=%d/impl=%s", many, c.name), func(b *testing.B) {
			q := c.fresh()
			defer q.ShutDown()
			b.ReportAllocs()
			for round := 0; b.Loop(); round++ {
				for _, key := range all {
					q.AddWithOpts(upstream.AddOpts{Priority: ptr.To(round)}, key)
				}
				require.Equal(b, many, q.Len())
			}
			b.ReportMetric(float64(b.N*many)/b.Elapsed().Seconds(), "adds/s")
		})
	}
}

// BenchmarkAddAfter is the adds of a hundred thousand items, each for another time, in an hour at the latest.
func BenchmarkAddAfter(b *testing.B) {
	all, random := keys(many), rand.New(rand.NewPCG(1, 2))
	later := make([]time.Duration, many)
	for i := range later {
		later[i] = time.Minute + time.Duration(random.Int64N(int64(time.Hour)))
	}
	for _, c := range contenders {
		b.Run(fmt.Sprintf("items=%d/impl=%s", many, c.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q := c.fresh()
				for i, key := range all {
					q.AddAfter(key, later[i])
				}
				require.Zero(b, q.Len())
				b.StopTimer()
				q.ShutDown()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.N*many)/b.Elapsed().Seconds(), "adds/s")
		})
	}
}

// BenchmarkHeap is what a queue holds for each of a hundred thousand items that are ready, or wait for their time. The
// keys themselves are not counted.
func BenchmarkHeap(b *testing.B) {
	all := keys(many)
	for _, state := range []string{"ready", "later"} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("items=%s/impl=%s", state, c.name), func(b *testing.B) {
				var full []upstream.PriorityQueue[string]
				before := heap()
				for b.Loop() {
					q := c.fresh()
					for i, key := range all {
						o := upstream.AddOpts{}
						if state == "later" {
							o.After = time.Hour + time.Duration(i)
						}
						q.AddWithOpts(o, key)
					}
					q.Len() // upstream's adds return before they are done
					full = append(full, q)
				}
				b.ReportMetric(float64(heap()-before)/float64(many*len(full)), "heapB/item")
				b.ReportMetric(0, "ns/op")
				for _, q := range full {
					q.ShutDown()
				}
				runtime.KeepAlive(full)
				runtime.KeepAlive(all)
			})
		}
	}
}

// heap is how many bytes live objects take.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one only finalized
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
