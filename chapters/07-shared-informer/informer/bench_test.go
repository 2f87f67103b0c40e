package informer_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
)

// contenders are what is measured side by side.
//
//	make bench CH=07
var contenders = []contender{
	{"ours", informer.NewSharedIndexInformer, fromBook},
	{"upstream", cache.NewSharedIndexInformer, fromClientGo},
}

type contender struct {
	name     string
	informer func(cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer
	source   func(*wire) cache.ListerWatcher // that decodes what comes over HTTP
}

// run runs an informer with handlers. The stop that it returns waits for its end.
func (c contender) run(tb testing.TB, lw cache.ListerWatcher, handlers ...cache.ResourceEventHandler) (
	running cache.SharedIndexInformer, stop func()) {
	running = c.informer(lw, &corev1.ConfigMap{}, 0, nil)
	for _, h := range handlers {
		_, err := running.AddEventHandler(h)
		require.NoError(tb, err)
	}
	ctx, cancel := context.WithCancel(tb.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		running.RunWithContext(ctx)
	}()
	return running, func() { cancel(); <-ended }
}

// fleet makes objects. Their versions begin with the first.
func fleet(objects, first int) []*corev1.ConfigMap {
	made := make([]*corev1.ConfigMap, objects)
	for i := range made {
		made[i] = &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("name-", i),
				UID: "6ba7b810-9dad-11d1-80b4-00c04fd430c8", ResourceVersion: fmt.Sprint(first + i),
				CreationTimestamp: metav1.Unix(1_700_000_000, 0),
				Labels:            map[string]string{"app.kubernetes.io/name": "name", "tier": "backend"}},
			Data: map[string]string{"greeting": "hello", "number": fmt.Sprint(i)},
		}
	}
	return made
}

// depot is a ListerWatcher of objects that are there, so that what is measured is the informer. It serves one.
type depot struct {
	objects []*corev1.ConfigMap
	events  chan watch.Event // of the watch that is open
}

func newDepot(objects []*corev1.ConfigMap) *depot {
	return &depot{objects: objects, events: make(chan watch.Event)}
}

func (d *depot) listWatch() cache.ListerWatcher {
	return &cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			list := &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
			for _, o := range d.objects {
				list.Items = append(list.Items, *o)
			}
			return list, nil
		},
		WatchFuncWithContext: func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
			f := &feed{events: d.events, stopped: make(chan struct{})}
			if o.SendInitialEvents != nil && *o.SendInitialEvents {
				go f.initial(d.objects)
			}
			return f, nil
		},
	}
}

// feed is a watch. Its events come one at a time, as those of a client over HTTP do.
type feed struct {
	events  chan watch.Event
	once    sync.Once
	stopped chan struct{}
}

// ResultChan implements watch.Interface.
func (f *feed) ResultChan() <-chan watch.Event { return f.events }

// Stop implements watch.Interface. Upstream's reflector calls it twice.
func (f *feed) Stop() { f.once.Do(func() { close(f.stopped) }) }

// initial sends what a streaming list begins with.
func (f *feed) initial(objects []*corev1.ConfigMap) {
	send := func(e watch.Event) {
		select {
		case f.events <- e:
		case <-f.stopped:
		}
	}
	for _, o := range objects {
		send(watch.Event{Type: watch.Added, Object: o})
	}
	send(watch.Event{Type: watch.Bookmark, Object: endOfInitial()})
}

// endOfInitial is the object of the bookmark that ends the initial events.
func endOfInitial() *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1",
		Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
}

// tally is a handler that counts, and tells when it has been called so many times.
type tally struct {
	want, calls int
	reached     chan<- struct{}
}

// tallies makes handlers that tell through one channel.
func tallies(handlers, want int) (made []cache.ResourceEventHandler, reached chan struct{}) {
	reached = make(chan struct{}, handlers)
	for range handlers {
		made = append(made, &tally{want: want, reached: reached})
	}
	return made, reached
}

func (t *tally) call() {
	if t.calls++; t.calls == t.want {
		t.calls = 0
		t.reached <- struct{}{}
	}
}

func (t *tally) OnAdd(any, bool)     { t.call() }
func (t *tally) OnUpdate(_, new any) { t.call() }
func (t *tally) OnDelete(any)        { t.call() }

// wait returns when each handler has told.
func wait(reached <-chan struct{}, handlers int) {
	for range handlers {
		<-reached
	}
}

// BenchmarkEvents is from a thousand events of a watch to the last call of the last handler. Events come as objects
// that are there, or as bytes of HTTP, which chapter 01 decodes for ours and client-go for upstream's.
func BenchmarkEvents(b *testing.B) {
	const burst = 1000
	before, after := fleet(burst, 1), fleet(burst, 1+burst)
	for _, handlers := range []int{1, 10} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("source=objects/handlers=%d/impl=%s", handlers, c.name), func(b *testing.B) {
				d := newDepot(before)
				sent := [][]*corev1.ConfigMap{after, before}
				bursts(b, c, d.listWatch(), handlers, burst, func(round int) {
					for _, object := range sent[round%2] {
						d.events <- watch.Event{Type: watch.Modified, Object: object}
					}
				})
			})
		}
	}
	for _, handlers := range []int{1, 10} {
		for _, c := range contenders {
			b.Run(fmt.Sprintf("source=http/handlers=%d/impl=%s", handlers, c.name), func(b *testing.B) {
				w := newWire(before)
				sent := [][]byte{w.events(watch.Modified, after), w.events(watch.Modified, before)}
				bursts(b, c, c.source(w), handlers, burst, func(round int) { w.in <- sent[round%2] })
			})
		}
	}
}

// bursts measures from a call of send until the handlers were called for each of a burst's events.
func bursts(b *testing.B, c contender, lw cache.ListerWatcher, handlers, burst int, send func(round int)) {
	told, reached := tallies(handlers, burst)
	_, stop := c.run(b, lw, told...)
	defer stop()
	wait(reached, handlers) // for the initial state
	b.ReportAllocs()
	for round := 0; b.Loop(); round++ {
		send(round)
		wait(reached, handlers)
	}
	b.ReportMetric(float64(b.N*burst)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkSync is from the start of an informer until a handler has heard of each object, and the informer's end.
func BenchmarkSync(b *testing.B) {
	for _, objects := range []int{1_000, 10_000, 100_000} {
		all := fleet(objects, 1)
		for _, source := range []string{"objects", "http"} {
			for _, c := range contenders {
				b.Run(fmt.Sprintf("source=%s/objects=%d/impl=%s", source, objects, c.name), func(b *testing.B) {
					b.ReportAllocs()
					benchSync(b, c, source, all)
				})
			}
		}
	}
}

func benchSync(b *testing.B, c contender, source string, all []*corev1.ConfigMap) {
	w := newWire(all)
	for b.Loop() {
		lw := newDepot(all).listWatch()
		if source == "http" {
			lw = c.source(w)
		}
		told, reached := tallies(1, len(all))
		_, stop := c.run(b, lw, told...)
		wait(reached, 1)
		stop()
	}
}

// BenchmarkLatency is from one write to the handler's call for it, while nothing else happens. Of objects, a write is
// an event of the watch; with a server, chapter 03's, it begins with the request.
func BenchmarkLatency(b *testing.B) {
	for _, c := range contenders {
		b.Run("source=objects/impl="+c.name, func(b *testing.B) {
			d := newDepot(fleet(1, 1))
			versions := [][]*corev1.ConfigMap{fleet(1, 2), fleet(1, 1)}
			latency(b, c, d.listWatch(), func(round int) {
				d.events <- watch.Event{Type: watch.Modified, Object: versions[round%2][0]}
			})
		})
	}
	for _, c := range contenders {
		b.Run("source=apiserver/impl="+c.name, func(b *testing.B) {
			s := newServed(b, "name-0")
			latency(b, c, s.listWatch(), func(round int) { s.put(b, "name-0", round) })
		})
	}
}

// latency measures from a call of write until the handler is called for it.
func latency(b *testing.B, c contender, lw cache.ListerWatcher, write func(round int)) {
	called := make(chan time.Time, 1)
	_, stop := c.run(b, lw, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { called <- time.Now() },
		UpdateFunc: func(_, _ any) { called <- time.Now() }})
	defer stop()
	<-called
	var took []time.Duration
	for round := 0; b.Loop(); round++ {
		begin := time.Now()
		write(round)
		took = append(took, (<-called).Sub(begin))
	}
	slices.Sort(took)
	at := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))].Nanoseconds()) / 1000
	}
	b.ReportMetric(at(0.50), "µs/p50")
	b.ReportMetric(at(0.99), "µs/p99")
}

// BenchmarkHeap is what an informer with one handler holds for each object when it has synced: beside the objects, of
// those that are there, and with them, of those from HTTP.
func BenchmarkHeap(b *testing.B) {
	for _, objects := range []int{1000, 10_000, 100_000} {
		all := fleet(objects, 1)
		for _, c := range contenders {
			b.Run(fmt.Sprintf("source=objects/objects=%d/impl=%s", objects, c.name), func(b *testing.B) {
				holds(b, c, objects, func() cache.ListerWatcher { return newDepot(all).listWatch() })
			})
		}
		goruntime.KeepAlive(all)
	}
	const objects = 10_000
	w := newWire(fleet(objects, 1))
	for _, c := range contenders {
		b.Run(fmt.Sprintf("source=http/objects=%d/impl=%s", objects, c.name), func(b *testing.B) {
			holds(b, c, objects, func() cache.ListerWatcher { return c.source(w) })
		})
	}
	goruntime.KeepAlive(w)
}

// holds measures what informers hold that have synced.
func holds(b *testing.B, c contender, objects int, source func() cache.ListerWatcher) {
	var all []cache.SharedIndexInformer
	var stops []func()
	before := liveHeap()
	for b.Loop() {
		told, reached := tallies(1, objects)
		running, stop := c.run(b, source(), told...)
		wait(reached, 1)
		all, stops = append(all, running), append(stops, stop)
	}
	b.ReportMetric(float64(int64(liveHeap()-before))/float64(objects*len(all)), "heapB/object")
	b.ReportMetric(0, "ns/op")
	goruntime.KeepAlive(all)
	for _, stop := range stops {
		stop()
	}
}

// liveHeap is how many bytes live objects take.
func liveHeap() uint64 {
	goruntime.GC()
	goruntime.GC() // what the first one only finalized
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc
}
