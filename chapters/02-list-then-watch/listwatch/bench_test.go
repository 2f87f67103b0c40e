package listwatch_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch/listwatchtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// BenchmarkInitialSync is the time from the start until 1000 ConfigMaps of a kilobyte are there. Ours leaves the
// objects as JSON; the Reflector decodes them.
func BenchmarkInitialSync(b *testing.B) {
	const objects = 1000
	transport, stop := pipe.Serve(listwatchtest.NewServer())
	defer stop()
	fill(b, transport, objects)
	for name, start := range map[string]starter{"ours": startOurs, "upstream": startUpstream} {
		b.Run("impl="+name, func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				full := make(chan struct{})
				wait := start(ctx, &http.Client{Transport: transport}, objects, func() { close(full) })
				<-full
				cancel()
				wait()
			}
		})
	}
}

// fill creates objects.
func fill(b *testing.B, transport http.RoundTripper, objects int) {
	payload := strings.Repeat("x", 1000)
	for i := range objects {
		body := fmt.Sprintf(`{"metadata":{"name":"cm-%d"},"data":{"payload":%q}}`, i, payload)
		req, err := http.NewRequest(http.MethodPost, "http://memory/configmaps", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}

// starter starts something that follows the ConfigMaps, and calls full once, when it holds that many.
type starter func(ctx context.Context, through *http.Client, objects int, full func()) (wait func())

func startOurs(ctx context.Context, through *http.Client, objects int, full func()) func() {
	held := 0
	c := &listwatch.Client{
		Source: listwatch.Collection{Client: &watch.Client{Server: "http://faults", HTTP: through}, Path: configMaps},
		View: &listwatch.View{OnChange: func(watch.EventType, listwatch.Object) {
			if held++; held == objects {
				full()
			}
		}},
	}
	return running(func() { c.Run(ctx) })
}

func startUpstream(ctx context.Context, through *http.Client, objects int, full func()) func() {
	store := &replaced{Store: cache.NewStore(cache.MetaNamespaceKeyFunc), objects: objects, full: sync.OnceFunc(full)}
	r := cache.NewReflector(listWatcher(through), &corev1.ConfigMap{}, store, 0)
	return running(func() { r.RunWithContext(ctx) })
}

// replaced is a store that tells when a list of that many objects has come.
type replaced struct {
	cache.Store
	objects int
	full    func()
}

func (r *replaced) Replace(list []any, resourceVersion string) error {
	err := r.Store.Replace(list, resourceVersion)
	if len(list) == r.objects {
		r.full()
	}
	return err
}

// running runs f in a goroutine, and returns how to wait for its end.
func running(f func()) (wait func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	return func() { <-done }
}
