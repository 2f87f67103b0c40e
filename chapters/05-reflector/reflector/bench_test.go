package reflector_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// impls are what is measured side by side.
//
//	make bench CH=05
var impls = []struct {
	name string
	run  reflectortest.Start
}{
	{"ours", func(ctx context.Context, source cache.ListerWatcher, into cache.ReflectorStore) {
		reflector.New(source, &corev1.ConfigMap{}, into, reflector.Options{}).RunWithContext(ctx)
	}},
	{"upstream", func(ctx context.Context, source cache.ListerWatcher, into cache.ReflectorStore) {
		cache.NewReflector(source, &corev1.ConfigMap{}, into, 0).RunWithContext(ctx)
	}},
}

// warehouse answers with objects that are ready, so that a measurement is the reflector's and not the server's.
type warehouse struct {
	list   *corev1.ConfigMapList
	events []watch.Event
}

// fill makes so many objects.
func fill(objects int) *warehouse {
	w := &warehouse{list: &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(objects)}}}
	for i := range objects {
		w.list.Items = append(w.list.Items, *reflectortest.ConfigMap(fmt.Sprint("name-", i), "value", i))
		w.events = append(w.events, watch.Event{Type: watch.Added, Object: &w.list.Items[i]})
	}
	w.events = append(w.events, reflectortest.InitialEnd(objects))
	return w
}

// List implements cache.ListerWatcher.
func (w *warehouse) List(metav1.ListOptions) (runtime.Object, error) {
	list := *w.list // the reflector clears nothing of it, but the pager reads its own
	return &list, nil
}

// Watch implements cache.ListerWatcher. Nothing changes after the initial state.
func (w *warehouse) Watch(options metav1.ListOptions) (watch.Interface, error) {
	stream := watch.NewFakeWithChanSize(0, false)
	if options.SendInitialEvents == nil {
		return stream, nil
	}
	loaded := &loaded{FakeWatcher: stream, events: make(chan watch.Event), stopped: make(chan struct{})}
	go func() {
		for _, event := range w.events {
			select {
			case loaded.events <- event:
			case <-loaded.stopped:
				return
			}
		}
	}()
	return loaded, nil
}

// loaded is a watch that a goroutine feeds, one event at a time, as the watch of a client over HTTP is.
type loaded struct {
	*watch.FakeWatcher
	events  chan watch.Event
	once    sync.Once
	stopped chan struct{}
}

// ResultChan implements watch.Interface.
func (l *loaded) ResultChan() <-chan watch.Event { return l.events }

// Stop implements watch.Interface. Upstream's reflector calls it twice.
func (l *loaded) Stop() { l.once.Do(func() { close(l.stopped) }) }

// arrival is a store that tells of its first Replace.
type arrival struct {
	cache.Store
	full chan struct{}
}

func (a *arrival) Replace(list []any, version string) error {
	defer close(a.full)
	return a.Store.Replace(list, version)
}

// BenchmarkSync is from the start of a reflector to a store that is filled.
func BenchmarkSync(b *testing.B) {
	const objects = 10_000
	for _, way := range []string{"list", "stream"} {
		for _, impl := range impls {
			b.Run(fmt.Sprintf("by=%s/objects=%d/impl=%s", way, objects, impl.name), func(b *testing.B) {
				featuretesting.SetFeatureDuringTest(b, clientfeatures.WatchListClient, way == "stream")
				source := fill(objects)
				b.ReportAllocs()
				for b.Loop() {
					into := &arrival{Store: cache.NewStore(cache.MetaNamespaceKeyFunc), full: make(chan struct{})}
					ctx, cancel := context.WithCancel(b.Context())
					ended := make(chan struct{})
					go func() {
						defer close(ended)
						impl.run(ctx, source, into)
					}()
					<-into.full
					cancel()
					<-ended
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/objects, "ns/object")
			})
		}
	}
}

// BenchmarkEvents is from an event of a watch to the store's call for it.
func BenchmarkEvents(b *testing.B) {
	for _, impl := range impls {
		b.Run("impl="+impl.name, func(b *testing.B) {
			events := make(chan watch.Event)
			source := &cache.ListWatch{
				ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
					return &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, nil
				},
				WatchFuncWithContext: func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
					if o.SendInitialEvents != nil {
						return nil, errDown
					}
					return watch.NewProxyWatcher(events), nil
				},
			}
			ctx, cancel := context.WithCancel(b.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				impl.run(ctx, source, cache.NewStore(cache.MetaNamespaceKeyFunc))
			}()
			event := named(watch.Modified, "a", 2)
			b.ReportAllocs()
			for b.Loop() {
				events <- event
			}
			b.StopTimer()
			cancel()
			<-ended
		})
	}
}
