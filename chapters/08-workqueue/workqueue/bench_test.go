package workqueue_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	upstream "k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
)

// contenders are what is measured side by side, each with all its three layers.
//
//	make bench CH=08
var contenders = []struct {
	name     string
	queue    func(upstream.TypedQueueConfig[string]) upstream.TypedInterface[string]
	delaying func(upstream.TypedDelayingQueueConfig[string]) upstream.TypedDelayingInterface[string]
	limiting func(upstream.TypedRateLimiter[string], upstream.TypedRateLimitingQueueConfig[string]) limiting
	limiter  func(base, longest time.Duration) upstream.TypedRateLimiter[string]
}{
	{
		"ours",
		func(c upstream.TypedQueueConfig[string]) upstream.TypedInterface[string] { return workqueue.New(c) },
		func(c upstream.TypedDelayingQueueConfig[string]) upstream.TypedDelayingInterface[string] {
			return workqueue.NewDelaying(c)
		},
		func(l upstream.TypedRateLimiter[string], c upstream.TypedRateLimitingQueueConfig[string]) limiting {
			return workqueue.NewRateLimiting(l, c)
		},
		func(base, longest time.Duration) upstream.TypedRateLimiter[string] {
			return workqueue.NewExponential[string](base, longest)
		},
	},
	{
		"upstream",
		func(c upstream.TypedQueueConfig[string]) upstream.TypedInterface[string] {
			return upstream.NewTypedWithConfig(c)
		},
		upstream.NewTypedDelayingQueueWithConfig[string],
		upstream.NewTypedRateLimitingQueueWithConfig[string],
		upstream.NewTypedItemExponentialFailureRateLimiter[string],
	},
}

type limiting = upstream.TypedRateLimitingInterface[string]

// keys makes what is queued: the keys of objects.
func keys(n int) []string {
	made := make([]string, n)
	for i := range made {
		made[i] = fmt.Sprint("default/name-", i)
	}
	return made
}

// BenchmarkAddGetDone is the way of one key through the queue, by one goroutine; or of a thousand, of which all are
// added before the first is handed out. An operation is one key's way.
func BenchmarkAddGetDone(b *testing.B) {
	for _, metrics := range []string{"off", "on"} {
		for _, n := range []int{1, 1000} {
			for _, c := range contenders {
				b.Run(fmt.Sprintf("metrics=%s/keys=%d/impl=%s", metrics, n, c.name), func(b *testing.B) {
					config := upstream.TypedQueueConfig[string]{}
					if metrics == "on" {
						config.Name, config.MetricsProvider = "measured", silent{}
					}
					q, all := c.queue(config), keys(n)
					defer q.ShutDown()
					b.ReportAllocs()
					b.ResetTimer()
					for done := 0; done < b.N; done += n {
						pass(q, all[:min(n, b.N-done)])
					}
				})
			}
		}
	}
}

// pass adds keys, and has each handed out and done.
func pass(q upstream.TypedInterface[string], all []string) {
	for _, key := range all {
		q.Add(key)
	}
	for range all {
		key, _ := q.Get()
		q.Done(key)
	}
}

// BenchmarkCollapsed is an add of a key that waits already, or that a worker has and that was added since.
func BenchmarkCollapsed(b *testing.B) {
	for _, state := range []string{"waiting", "processing"} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("key=%s/impl=%s", state, c.name), func(b *testing.B) {
				q := c.queue(upstream.TypedQueueConfig[string]{})
				defer q.ShutDown()
				q.Add("default/name")
				if state == "processing" {
					q.Get()
				}
				for b.Loop() {
					q.Add("default/name")
				}
			})
		}
	}
}

// BenchmarkHandover is from an add to the worker that waits in Get, and back: one key at a time, between two
// goroutines.
func BenchmarkHandover(b *testing.B) {
	for _, c := range contenders {
		b.Run("impl="+c.name, func(b *testing.B) {
			q := c.queue(upstream.TypedQueueConfig[string]{})
			got := make(chan struct{})
			go func() {
				defer close(got)
				for {
					key, shutdown := q.Get()
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

// BenchmarkContended is one add, by sixteen goroutines at once, while sixteen workers get what is added: of a hundred
// keys, of which most are waiting when they are added again, or of as many keys as adds.
func BenchmarkContended(b *testing.B) {
	for _, of := range []string{"100", "all"} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("workers=16/producers=16/keys=%s/impl=%s", of, c.name), func(b *testing.B) {
				n := 100
				if of == "all" {
					n = b.N
				}
				q, all := c.queue(upstream.TypedQueueConfig[string]{}), keys(n)
				b.ReportAllocs()
				b.ResetTimer()
				contend(q, all, b.N)
			})
		}
	}
}

// contend returns when all that was added is done.
func contend(q upstream.TypedInterface[string], all []string, adds int) {
	const workers, producers = 16, 16
	var working, producing sync.WaitGroup
	for range workers {
		working.Go(func() {
			for {
				key, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(key)
			}
		})
	}
	for p := range producers {
		producing.Go(func() {
			for i := p; i < adds; i += producers {
				q.Add(all[i%len(all)])
			}
		})
	}
	producing.Wait()
	q.ShutDown()
	working.Wait()
}

// waiting is how many items wait for their time at once.
const waiting = 100_000

// delays are between one second and an hour, in no order, and the same each time.
func delays(n int) []time.Duration {
	random, made := rand.New(rand.NewPCG(1, 2)), make([]time.Duration, n)
	for i := range made {
		made[i] = time.Second + time.Duration(random.Int64N(int64(time.Hour)))
	}
	return made
}

// BenchmarkAddAfter is the adds of a hundred thousand items, each for another time; or of one item a hundred thousand
// times, of which each time the earliest holds. The clock stands still. Upstream's goroutine may have a thousand of
// them still before it when the adds have returned.
func BenchmarkAddAfter(b *testing.B) {
	later := delays(waiting)
	for _, n := range []int{1, waiting} {
		all := keys(n)
		for _, c := range contenders {
			b.Run(fmt.Sprintf("items=%d/impl=%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					clock := clocktesting.NewFakeClock(time.Now())
					q := c.delaying(upstream.TypedDelayingQueueConfig[string]{Clock: clock})
					for i, delay := range later {
						q.AddAfter(all[i%n], delay)
					}
					b.StopTimer()
					q.ShutDown()
					b.StartTimer()
				}
				b.ReportMetric(float64(b.N*waiting)/b.Elapsed().Seconds(), "adds/s")
			})
		}
	}
}

// BenchmarkDue is from the moment at which a hundred thousand items are due until all have been got and are done. Time
// is that of a clocktesting.FakeClock.
func BenchmarkDue(b *testing.B) {
	later, all := delays(waiting), keys(waiting)
	for _, c := range contenders {
		b.Run(fmt.Sprintf("items=%d/impl=%s", waiting, c.name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				clock := clocktesting.NewFakeClock(time.Now())
				q := c.delaying(upstream.TypedDelayingQueueConfig[string]{Clock: clock})
				for i, delay := range later {
					q.AddAfter(all[i], delay)
				}
				settle(q, clock)
				b.StartTimer()
				clock.Step(2 * time.Hour)
				for range all {
					key, _ := q.Get()
					q.Done(key)
				}
				b.StopTimer()
				q.ShutDown()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.N*waiting)/b.Elapsed().Seconds(), "items/s")
		})
	}
}

// settle returns when the queue's goroutine has looked at all that was added and waits for the first: an item that was
// added last has come. The clock moves until then, since it may move in front of the timer for that item.
func settle(q upstream.TypedDelayingInterface[string], clock *clocktesting.FakeClock) {
	q.AddAfter("the last", time.Microsecond)
	for q.Len() == 0 {
		clock.Step(time.Microsecond)
		runtime.Gosched()
	}
	key, _ := q.Get()
	q.Done(key)
	for !clock.HasWaiters() {
		runtime.Gosched()
	}
}

// BenchmarkRateLimited is a failure of an item and its success: AddRateLimited and Forget. The item waits all the time,
// since the clock stands still.
func BenchmarkRateLimited(b *testing.B) {
	for _, n := range []int{1, 1000} {
		all := keys(n)
		for _, c := range contenders {
			b.Run(fmt.Sprintf("keys=%d/impl=%s", n, c.name), func(b *testing.B) {
				q := c.limiting(c.limiter(5*time.Millisecond, 1000*time.Second),
					upstream.TypedRateLimitingQueueConfig[string]{Clock: clocktesting.NewFakeClock(time.Now())})
				defer q.ShutDown()
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					q.AddRateLimited(all[i%n])
					q.Forget(all[i%n])
				}
			})
		}
	}
}

// BenchmarkLimiter is what a limiter takes alone: ten failures of an item in a row, and its success.
func BenchmarkLimiter(b *testing.B) {
	for _, c := range contenders {
		b.Run("limiter=exponential/impl="+c.name, func(b *testing.B) {
			limiter := c.limiter(5*time.Millisecond, 1000*time.Second)
			for b.Loop() {
				for range 10 {
					limiter.When("default/name")
				}
				limiter.Forget("default/name")
			}
		})
	}
}

// BenchmarkHeap is what a queue holds for each of a hundred thousand items: in the line, for their time, or when all
// have gone through it. The keys themselves are not counted.
func BenchmarkHeap(b *testing.B) {
	later, all := delays(waiting), keys(waiting)
	for _, state := range []string{"ready", "later", "gone"} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("items=%s/impl=%s", state, c.name), func(b *testing.B) {
				var full []upstream.TypedDelayingInterface[string]
				before := heap()
				for b.Loop() {
					clock := clocktesting.NewFakeClock(time.Now())
					q := c.delaying(upstream.TypedDelayingQueueConfig[string]{Clock: clock})
					switch state {
					case "later":
						for i, delay := range later {
							q.AddAfter(all[i], delay)
						}
						settle(q, clock)
					case "gone":
						pass(q, all)
					default:
						for _, key := range all {
							q.Add(key)
						}
					}
					full = append(full, q)
				}
				b.ReportMetric(float64(heap()-before)/float64(waiting*len(full)), "heapB/item")
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

// silent provides metrics that nobody reads, so that what is measured is the queue's part.
type silent struct{}

type mute struct{}

func (silent) NewDepthMetric(string) upstream.GaugeMetric            { return mute{} }
func (silent) NewAddsMetric(string) upstream.CounterMetric           { return mute{} }
func (silent) NewLatencyMetric(string) upstream.HistogramMetric      { return mute{} }
func (silent) NewWorkDurationMetric(string) upstream.HistogramMetric { return mute{} }
func (silent) NewUnfinishedWorkSecondsMetric(string) upstream.SettableGaugeMetric {
	return mute{}
}
func (silent) NewLongestRunningProcessorSecondsMetric(string) upstream.SettableGaugeMetric {
	return mute{}
}
func (silent) NewRetriesMetric(string) upstream.CounterMetric { return mute{} }

func (mute) Inc()            {}
func (mute) Dec()            {}
func (mute) Set(float64)     {}
func (mute) Observe(float64) {}
