package store_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// impls are what is measured side by side.
//
//	make bench CH=04
var impls = []struct {
	name  string
	fresh func(cache.KeyFunc, cache.Indexers) cache.Indexer
}{{"ours", newOurs}, {"upstream", newUpstreams}}

// perNamespace is how many objects share a namespace, and so a value of the first index.
const perNamespace = 100

// collection makes objects. In another generation they have other nodes and tags.
func collection(n, generation int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace:       fmt.Sprint("namespace-", i/perNamespace),
				Name:            fmt.Sprint("name-", i),
				ResourceVersion: fmt.Sprint(1000 + i),
			},
			Data: map[string]string{
				"node": fmt.Sprint("node-", (i+generation)%500),
				"tags": fmt.Sprintf("tag-%d tag-%d", (i+generation)%20, (i+generation+7)%20),
			},
		}
	}
	return list
}

// filled makes a store that holds objects, with the first so many of three indexes: by namespace, as informers have it;
// by node; and by tags, of which each object has two.
func filled(fresh func(cache.KeyFunc, cache.Indexers) cache.Indexer, indexes int, list []any) cache.Indexer {
	byData := func(key string) cache.IndexFunc {
		return func(obj any) ([]string, error) { return strings.Fields(obj.(*corev1.ConfigMap).Data[key]), nil }
	}
	functions := []cache.IndexFunc{cache.MetaNamespaceIndexFunc, byData("node"), byData("tags")}
	indexers := cache.Indexers{}
	for i, name := range []string{cache.NamespaceIndex, "node", "tags"}[:indexes] {
		indexers[name] = functions[i]
	}
	s := fresh(cache.MetaNamespaceKeyFunc, indexers)
	if err := s.Replace(list, "1"); err != nil {
		panic(err)
	}
	return s
}

// BenchmarkRead reads from all processors, and a writer updates an object after each hundred reads of one of them.
// ByIndex finds a hundred objects.
func BenchmarkRead(b *testing.B) {
	const objects = 10_000
	list, updates := collection(objects, 0), collection(objects, 1)
	keys, namespaces := make([]string, objects), make([]string, objects)
	for i, obj := range list {
		keys[i], _ = cache.MetaNamespaceKeyFunc(obj)
		namespaces[i] = obj.(*corev1.ConfigMap).Namespace
	}
	for _, method := range []struct {
		name string
		read func(s cache.Indexer, i int) bool
	}{
		{"GetByKey", func(s cache.Indexer, i int) bool {
			_, exists, _ := s.GetByKey(keys[i])
			return exists
		}},
		{"ByIndex", func(s cache.Indexer, i int) bool {
			found, _ := s.ByIndex(cache.NamespaceIndex, namespaces[i])
			return len(found) == perNamespace
		}},
	} {
		for _, impl := range impls {
			b.Run("method="+method.name+"/impl="+impl.name, func(b *testing.B) {
				s := filled(impl.fresh, 3, list)
				due, stop := writer(s, updates)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for i := 0; pb.Next(); i++ {
						if !method.read(s, i*7%objects) {
							b.Error("not found")
							return
						}
						if i%100 == 99 {
							due()
						}
					}
				})
				b.StopTimer()
				stop()
			})
		}
	}
}

// writer starts one that makes the next of the updates when one is due, unless it is still busy.
func writer(s cache.Indexer, updates []any) (due, stop func()) {
	next, stopped := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(stopped)
		i := 0
		for range next {
			s.Update(updates[i%len(updates)])
			i++
		}
	}()
	due = func() {
		select {
		case next <- struct{}{}:
		default:
		}
	}
	return due, func() { close(next); <-stopped }
}

// BenchmarkUpdate is one update of an object that is there, whose values stay the same or, but for the namespace, move.
func BenchmarkUpdate(b *testing.B) {
	const objects = 10_000
	generations := map[string][2][]any{
		"same":  {collection(objects, 0), collection(objects, 0)},
		"moved": {collection(objects, 0), collection(objects, 1)},
	}
	for _, c := range []struct {
		indexes int
		values  string
	}{{0, "same"}, {1, "same"}, {3, "same"}, {3, "moved"}} {
		for _, impl := range impls {
			b.Run(fmt.Sprintf("indexes=%d/values=%s/impl=%s", c.indexes, c.values, impl.name), func(b *testing.B) {
				lists := generations[c.values]
				s := filled(impl.fresh, c.indexes, lists[0])
				for i := 0; b.Loop(); i++ {
					if err := s.Update(lists[(i/objects+1)%2][i%objects]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkTransaction is one of a hundred updates, as an informer makes it of a batch.
func BenchmarkTransaction(b *testing.B) {
	const objects, batch = 10_000, 100
	lists := [2][]cache.Transaction{}
	for generation := range lists {
		for _, obj := range collection(objects, generation) {
			lists[generation] = append(lists[generation],
				cache.Transaction{Type: cache.TransactionTypeUpdate, Object: obj})
		}
	}
	for _, impl := range impls {
		b.Run(fmt.Sprintf("indexes=3/updates=%d/impl=%s", batch, impl.name), func(b *testing.B) {
			s := filled(impl.fresh, 3, collection(objects, 0))
			for i := 0; b.Loop(); i += batch {
				at := i % objects
				err := s.(cache.TransactionStore).Transaction(lists[(i/objects+1)%2][at : at+batch]...)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplace is one Replace of everything by everything, with an informer's one index.
func BenchmarkReplace(b *testing.B) {
	for _, objects := range []int{10_000, 100_000} {
		list := collection(objects, 0)
		for _, impl := range impls {
			b.Run(fmt.Sprintf("objects=%d/impl=%s", objects, impl.name), func(b *testing.B) {
				s := filled(impl.fresh, 1, list)
				for b.Loop() {
					if err := s.Replace(list, "2"); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkHeap is what a store of 50,000 objects holds on to, the objects themselves not counted.
func BenchmarkHeap(b *testing.B) {
	const objects = 50_000
	list := collection(objects, 0)
	for _, indexes := range []int{0, 1, 3} {
		for _, impl := range impls {
			b.Run(fmt.Sprintf("indexes=%d/impl=%s", indexes, impl.name), func(b *testing.B) {
				var stores []cache.Indexer
				before := heap()
				for b.Loop() {
					stores = append(stores, filled(impl.fresh, indexes, list))
				}
				b.ReportMetric(float64(heap()-before)/float64(objects*len(stores)), "heapB/object")
				b.ReportMetric(0, "ns/op")
				runtime.KeepAlive(stores)
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

// BenchmarkReadDuringReplace is the longest that GetByKey takes while 100,000 objects are replaced.
func BenchmarkReadDuringReplace(b *testing.B) {
	const objects = 100_000
	list := collection(objects, 0)
	for _, impl := range impls {
		b.Run(fmt.Sprintf("objects=%d/impl=%s", objects, impl.name), func(b *testing.B) {
			s := filled(impl.fresh, 1, list)
			var longest time.Duration
			for b.Loop() {
				longest += longestRead(func() { s.Replace(list, "2") }, func() { s.GetByKey("namespace-0/name-0") })
			}
			b.ReportMetric(float64(longest.Microseconds())/float64(b.N)/1000, "ms/longest-read")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// longestRead reads until the write is done.
func longestRead(write, read func()) (longest time.Duration) {
	var written atomic.Bool
	go func() {
		defer written.Store(true)
		write()
	}()
	for !written.Load() {
		begun := time.Now()
		read()
		longest = max(longest, time.Since(begun))
	}
	return longest
}
