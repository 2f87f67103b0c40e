package fifo_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// queues are what is measured side by side: each kind as informers have or had it, ours and upstream's.
//
//	make bench CH=06
var queues = []struct {
	name, impl string
	fresh      func() cache.Queue
}{
	{"DeltaFIFO", "ours", func() cache.Queue { return ourDelta(deltaOptions()) }},
	{"DeltaFIFO", "upstream", func() cache.Queue { return cache.NewDeltaFIFOWithOptions(deltaOptions()) }},
	{"RealFIFO", "ours", func() cache.Queue { return ourReal(realOptions) }},
	{"RealFIFO", "upstream", func() cache.Queue { return cache.NewRealFIFOWithOptions(realOptions) }},
}

func deltaOptions() cache.DeltaFIFOOptions {
	return cache.DeltaFIFOOptions{KnownObjects: cache.NewStore(cache.MetaNamespaceKeyFunc), EmitDeltaTypeReplaced: true}
}

var realOptions = cache.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true, EmitDeltaTypeBookmark: true}

func objects(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("name-", i)}}
	}
	return list
}

func nothing(any, bool) error { return nil }

func nothings([]cache.Delta, bool) error { return nil }

// pop takes deltas as an informer does, in batches where the queue has them.
func pop(q cache.Queue) error {
	if batches, ok := q.(cache.QueueWithBatch); ok {
		return batches.PopBatch(nothings, nothing)
	}
	_, err := q.Pop(nothing)
	return err
}

// BenchmarkUpdatePop is one update and one Pop of it, by one goroutine, of a queue in which nothing else waits, or in
// which so many keys do.
func BenchmarkUpdatePop(b *testing.B) {
	for _, keys := range []int{1, 100} {
		for _, queue := range queues {
			b.Run(fmt.Sprintf("queue=%s/keys=%d/impl=%s", queue.name, keys, queue.impl), func(b *testing.B) {
				q, list := queue.fresh(), objects(keys)
				for _, obj := range list[1:] {
					q.Update(obj)
				}
				for i := 0; b.Loop(); i++ {
					q.Update(list[(i+keys-1)%keys])
					if _, err := q.Pop(nothing); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkContended is one update, by one goroutine or by eight at once, while another pops all there is.
func BenchmarkContended(b *testing.B) {
	for _, producers := range []int{1, 8} {
		for _, keys := range []int{1, 100} {
			for _, queue := range queues {
				name := fmt.Sprintf("queue=%s/producers=%d/keys=%d/impl=%s", queue.name, producers, keys, queue.impl)
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					produce(b, queue.fresh(), producers, objects(keys))
				})
			}
		}
	}
}

// produce returns when everything has been popped.
func produce(b *testing.B, q cache.Queue, producers int, list []any) {
	popped := make(chan struct{})
	go func() {
		defer close(popped)
		for pop(q) == nil {
		}
	}()
	var producing sync.WaitGroup
	for p := range producers {
		producing.Go(func() {
			for i := p; i < b.N; i += producers {
				q.Update(list[i%len(list)])
			}
		})
	}
	producing.Wait()
	q.Close()
	<-popped
}

// BenchmarkReplace is a re-list of ten thousand objects and all that it has popped. The store knows as many, half of
// them others.
func BenchmarkReplace(b *testing.B) {
	const n = 10_000
	all := objects(n + n/2)
	known := cache.NewStore(cache.MetaNamespaceKeyFunc)
	if err := known.Replace(all[:n], "1"); err != nil {
		b.Fatal(err)
	}
	delta := cache.DeltaFIFOOptions{KnownObjects: known, EmitDeltaTypeReplaced: true}
	each := cache.RealFIFOOptions{KnownObjects: known}
	for _, queue := range []struct {
		name, impl string
		fresh      func() cache.Queue
	}{
		{"DeltaFIFO", "ours", func() cache.Queue { return ourDelta(delta) }},
		{"DeltaFIFO", "upstream", func() cache.Queue { return cache.NewDeltaFIFOWithOptions(delta) }},
		{"RealFIFO-each", "ours", func() cache.Queue { return ourReal(each) }},
		{"RealFIFO-each", "upstream", func() cache.Queue { return cache.NewRealFIFOWithOptions(each) }},
		{"RealFIFO-atomic", "ours", func() cache.Queue { return ourReal(realOptions) }},
		{"RealFIFO-atomic", "upstream", func() cache.Queue { return cache.NewRealFIFOWithOptions(realOptions) }},
	} {
		b.Run(fmt.Sprintf("queue=%s/objects=%d/impl=%s", queue.name, n, queue.impl), func(b *testing.B) {
			q := queue.fresh()
			for b.Loop() {
				if err := q.Replace(all[n/2:], "2"); err != nil {
					b.Fatal(err)
				}
				for !q.HasSynced() {
					pop(q)
				}
				q = queue.fresh()
			}
		})
	}
}

// BenchmarkHeap is what a queue holds on to for each delta that waits in it, the objects themselves not counted.
func BenchmarkHeap(b *testing.B) {
	const n = 100_000
	for _, keys := range []int{100, n} {
		list := objects(keys)
		for _, queue := range queues {
			b.Run(fmt.Sprintf("queue=%s/keys=%d/impl=%s", queue.name, keys, queue.impl), func(b *testing.B) {
				var full []cache.Queue
				before := heap()
				for b.Loop() {
					q := queue.fresh()
					for i := range n {
						q.Update(list[i%keys])
					}
					full = append(full, q)
				}
				b.ReportMetric(float64(heap()-before)/float64(n*len(full)), "heapB/delta")
				b.ReportMetric(0, "ns/op")
				runtime.KeepAlive(full)
				runtime.KeepAlive(list)
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
