package reflector_test

import (
	"context"
	goruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// hang is a ListerWatcher whose calls do not heed their context, and take an hour.
func hang(r *run, list, open bool) *cache.ListWatch {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			if list {
				time.Sleep(time.Hour)
			}
			return r.Server.ListWithContext(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if open {
				time.Sleep(time.Hour)
			}
			return r.Server.WatchWithContext(ctx, o)
		},
	}
}

// TestItStopsAtOnceWhereverItWaits ends the context at each of the places. Upstream waits for its backoff between two
// streaming lists, and for a call of Watch.
func TestItStopsAtOnceWhereverItWaits(t *testing.T) {
	for _, place := range []struct {
		name    string
		prepare func(r *run)
		disturb func(r *run)
	}{
		{"between two streaming lists", func(r *run) { r.Fail(reflectortest.Busy(100)) }, nil},
		{"after a failed list", func(r *run) { r.Fail(errDown, errDown) }, nil},
		{"between two requests for a watch", nil, func(r *run) {
			r.Fail(reflectortest.Busy(100))
			r.End()
		}},
		{"after a watch that is busy", nil, func(r *run) { r.Break(reflectortest.Busy(100)) }},
		{"after a watch that failed", nil, func(r *run) { r.Break(internalError()) }},
		{"in an initial state", func(r *run) { r.Hold() }, nil},
		{"in a watch", nil, func(*run) {}},
		{"between two resyncs", func(r *run) { r.options.ResyncPeriod = time.Hour }, func(*run) {}},
		{"in a list that does not heed it", func(r *run) {
			r.source = hang(r, true, false)
			r.options.ListOnly = true
		}, nil},
		{"in a request for a watch that does not heed it", func(r *run) { r.source = hang(r, false, true) }, nil},
		{"in a request for a watch after a list", func(r *run) {
			r.source = hang(r, false, true)
			r.options.ListOnly = true
		}, nil},
	} {
		t.Run(place.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *run) {
				if place.prepare != nil {
					place.prepare(r)
				}
				r.begin(t)
				later(2 * time.Second)
				if place.disturb != nil {
					require.NotEmpty(t, r.store.Calls())
					place.disturb(r)
				}
				r.requireStop(t)
			})
		})
	}
}

// requireStop ends the context. The reflector returns in the same moment, tells nobody, sends nothing more, and leaves
// no watch open, even one that comes later.
func (r *run) requireStop(t *testing.T) {
	t.Helper()
	synctest.Wait()
	before, calls, told := time.Now(), r.store.Calls(), r.told()
	sent := len(r.Requests())
	r.stop()
	<-r.ended
	require.Zero(t, time.Since(before), "the time that it took")
	require.Equal(t, told, r.told())
	later(2 * time.Hour)
	open, _ := r.Watches()
	require.Zero(t, open, "watches left open")
	require.LessOrEqual(t, len(r.Requests()), sent+1, "a call that hangs sends its request later, and there is one")
	require.Equal(t, calls, r.store.Calls())
}

func TestItStopsTheWatchWhenItsContextEndsWithTheInitialState(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.store.Refuse = func(string) error {
			r.stop()
			return nil
		}
		r.begin(t)
		open, stopped := r.Watches()
		require.Equal(t, []int{0, 1}, []int{open, stopped})
		require.Equal(t, []string{"Replace a b at 3"}, r.store.Calls())
	})
}

func TestItDoesNothingAfterItsContext(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.begin(t)
		r.stop()
		<-r.ended
		sent := len(r.Requests())
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r.reflector.RunWithContext(ctx)
		require.Len(t, r.Requests(), sent)
	})
}

// endsWhenAwaited is a context that ends when somebody begins to wait for its end.
type endsWhenAwaited struct {
	context.Context
	end func()
}

func (e endsWhenAwaited) Done() <-chan struct{} {
	e.end()
	return e.Context.Done()
}

// TestNothingIsBegunAfterTheReturn ends the context between the decision to send a request and the request. On a single
// processor the goroutine that would send it runs only when the reflector has returned.
func TestNothingIsBegunAfterTheReturn(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(1))
	for _, listOnly := range []bool{true, false} {
		for range 20 {
			bubble(t, func(t *testing.T, r *run) {
				r.options.ListOnly = listOnly
				ctx, cancel := context.WithCancel(t.Context())
				r.build().RunWithContext(endsWhenAwaited{ctx, cancel})
				sent := r.Sent()
				synctest.Wait()
				require.Equal(t, sent, r.Sent(), "and after the reflector has returned")
			})
		}
	}
}

// TestAListEndsWithItsContext has a list come in pages, which does not heed its context: the next page is not asked for.
func TestAListEndsWithItsContext(t *testing.T) {
	for _, fails := range []error{nil, reflectortest.Expired()} {
		bubble(t, func(t *testing.T, r *run) {
			r.PageLimit = 1
			r.options.ListOnly = true
			r.source = hang(r, true, false)
			if fails != nil {
				r.Fail(nil, fails) // the second page
			}
			r.begin(t)
			later(90 * time.Minute)
			require.Equal(t, []string{"list 0"}, r.Sent())
			r.stop()
			<-r.ended
			later(24 * time.Hour)
			sent := []string{"list 0", "list "}
			require.Equal(t, sent, r.Sent(), "the page that was asked for, and none after it")
		})
	}
}

// TestAPanicComesOutOfRun has List and Watch panic, each in a call of their own.
func TestAPanicComesOutOfRun(t *testing.T) {
	for _, listOnly := range []bool{true, false} {
		bubble(t, func(t *testing.T, r *run) {
			r.options.ListOnly = listOnly
			r.source = &cache.ListWatch{
				ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
					panic("no list")
				},
				WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
					panic("no watch")
				},
			}
			want := map[bool]string{true: "no list", false: "no watch"}[listOnly]
			require.PanicsWithValue(t, want, func() { r.build().RunWithContext(t.Context()) })
		})
	}
}
