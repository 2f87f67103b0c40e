package reflector_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
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

// TestWhatWasReadAheadIsDropped ends the context while the store is busy with the first of thirty events. Ours has read
// seventeen more, upstream's none. Neither says that the store has what it was not given.
func TestWhatWasReadAheadIsDropped(t *testing.T) {
	for who, ahead := range map[string]int{"ours": 17, "upstream": 0} {
		t.Run(who, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				const events = 30
				w := watch.NewFakeWithChanSize(events+1, false)
				end := reflectortest.InitialEnd(100)
				w.Action(end.Type, end.Object)
				for i := range events {
					w.Add(reflectortest.ConfigMap(fmt.Sprint("c", i), "", 101+i))
				}
				source := &cache.ListWatch{WatchFuncWithContext: func(context.Context, metav1.ListOptions) (
					watch.Interface, error) {
					return w, nil
				}}
				goOn := make(chan struct{})
				store := &reflectortest.Store{Refuse: func(call string) error {
					if call == "Add c0" {
						<-goOn
					}
					return nil
				}}
				ctx, cancel := context.WithCancel(t.Context())
				run, last := both[who](source, store, nil)
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					run(ctx)
				}()
				synctest.Wait()
				require.Len(t, w.ResultChan(), events-1-ahead)
				cancel()
				close(goOn)
				<-ended
				stored := len(store.Calls()) - 1 // the first call is Replace
				require.Less(t, stored, events)
				require.Equal(t, strconv.Itoa(100+stored), last())
			})
		})
	}
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

// TestAListEndsWithItsContext ends the context while the second page of a list is on its way. Ours asks for no other
// page. Upstream's goes on, for nobody.
func TestAListEndsWithItsContext(t *testing.T) {
	for _, c := range []struct {
		who    string
		second error // what becomes of the second page
		after  []string
	}{
		{"ours", nil, nil},
		{"ours", reflectortest.Expired(), nil},
		{"upstream", nil, []string{"list "}},
		{"upstream", reflectortest.Expired(), []string{"list 0"}},
	} {
		t.Run(fmt.Sprint(c.who, " ", c.second), func(t *testing.T) {
			bubble(t, func(t *testing.T, r *run) {
				r.Put("c", "")
				r.PageLimit = 1
				r.Fail(reflectortest.Unsupported(), nil, c.second)
				start, _ := both[c.who](hang(r, true, false), r.store, nil)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					start(ctx)
				}()
				later(90 * time.Minute)
				require.Equal(t, []string{"stream ", "list 0"}, r.Sent())
				cancel()
				<-ended
				later(24 * time.Hour)
				require.Equal(t, append([]string{"stream ", "list 0", "list "}, c.after...), r.Sent())
			})
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
