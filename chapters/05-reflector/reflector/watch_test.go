package reflector_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestWhatTheRequestsSay(t *testing.T) {
	for minimum, least := range map[time.Duration]int64{0: 300, time.Minute: 300, time.Hour: 3600} {
		bubble(t, func(t *testing.T, r *run) {
			r.options.MinWatchTimeout = minimum
			r.begin(t)
			timeouts := map[int64]bool{}
			for range 50 {
				later(time.Minute)
				r.End()
				synctest.Wait()
			}
			for i, request := range r.Requests() {
				timeout := *request.Options.TimeoutSeconds
				timeouts[timeout] = true
				require.GreaterOrEqual(t, timeout, least)
				require.LessOrEqual(t, timeout, 2*least)
				request.Options.TimeoutSeconds = nil
				want := metav1.ListOptions{ResourceVersion: "3", AllowWatchBookmarks: true}
				if i == 0 {
					want = metav1.ListOptions{AllowWatchBookmarks: true, SendInitialEvents: ptr.To(true),
						ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
				}
				require.Equal(t, want, request.Options)
			}
			require.Greater(t, len(timeouts), 10, "they are spread")
		})
	}
}

func TestAnInternalErrorIsRetriedWhileThatIsAllowed(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.MaxInternalErrorRetryDuration = 30 * time.Second
		r.begin(t)
		later(time.Minute)
		for range 3 {
			r.Break(internalError())
			later(10 * time.Second)
		}
		require.Equal(t, []string{"stream ", "watch 3", "watch 3", "watch 3"}, r.Sent(), "at once, where it was")
		require.Empty(t, r.delays())
		later(time.Second)
		r.Break(internalError())
		synctest.Wait()
		require.Len(t, r.delays(), 1, "31 s after the first")
		later(time.Minute)
		require.Equal(t, "stream 3", r.Sent()[4])
	})
}

func TestABookmarkMovesTheVersionAndReachesTheStore(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		s := &updated{Store: r.store}
		r.into = s
		r.begin(t)
		require.Equal(t, "3", r.reflector.LastSyncResourceVersion())
		r.Bookmark()
		r.Put("c", "")
		synctest.Wait()
		require.Equal(t, "5", r.reflector.LastSyncResourceVersion())
		require.Equal(t, []string{"Replace a b at 3", "Bookmark 4", "Add c"}, r.store.Calls())
		require.Equal(t, []string{"4", "5"}, s.versions, "of events, after the store has them, and not of Replace")
	})
}

// updated is a store that is told of versions.
type updated struct {
	*reflectortest.Store
	versions []string
}

func (u *updated) UpdateResourceVersion(version string) { u.versions = append(u.versions, version) }

func TestABookmarkThatTheStoreRefusesCounts(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.store.Refuse = func(call string) error {
			if call == "Bookmark" {
				return errDown
			}
			return nil
		}
		r.begin(t)
		r.Bookmark()
		synctest.Wait()
		require.Equal(t, "4", r.reflector.LastSyncResourceVersion())
	})
}

func TestAnUnknownEventIsSkippedAndItsVersionCounts(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.begin(t)
		r.Send(watch.Event{Type: "NEW", Object: reflectortest.ConfigMap("c", "", 9)})
		synctest.Wait()
		require.Equal(t, []string{"Replace a b at 3"}, r.store.Calls())
		require.Equal(t, "9", r.reflector.LastSyncResourceVersion(), "upstream's, too")
	})
}

func TestAWatchFromNoVersionIsNotResumedFromItsFirstObjects(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		versions := reflector.NewVersions()
		r.options.Parts.Versions = versions
		r.source = unversioned{r.Server}
		r.begin(t)
		require.Equal(t, []string{"list 0", "watch "}, r.Sent())
		require.Equal(t, []string{"Replace a b at ", "Add a", "Add b"}, r.store.Calls())
		later(time.Minute)
		r.End()
		synctest.Wait()
		require.Equal(t, "watch ", r.Sent()[2])
		r.Put("a", "1")
		later(time.Minute)
		r.End()
		synctest.Wait()
		require.Equal(t, "watch 4", r.Sent()[3])
	})
}

func TestAResyncSendsNoRequest(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		var asked atomic.Int32
		r.options.ResyncPeriod = time.Minute
		r.options.ShouldResync = func() bool {
			return asked.Add(1)%2 == 0
		}
		r.begin(t)
		later(5*time.Minute - time.Second)
		require.EqualValues(t, 4, asked.Load())
		require.Equal(t, []string{"Replace a b at 3", "Resync", "Resync"}, r.store.Calls())
		require.Len(t, r.Requests(), 1)
		r.End()
		later(time.Second)
		require.EqualValues(t, 5, asked.Load(), "the timer goes on while watches come and go")
		require.Len(t, r.Requests(), 2)
	})
}

func TestAResyncThatFailsEndsTheWatch(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ResyncPeriod = time.Minute
		r.store.Refuse = func(call string) error {
			if call == "Resync" {
				return errDown
			}
			return nil
		}
		r.begin(t)
		later(time.Minute)
		require.Len(t, r.delays(), 1)
		require.Equal(t, errDown, r.decided[0].err)
		open, _ := r.Watches()
		require.Zero(t, open)
		later(2 * time.Second)
		require.Equal(t, []string{"stream ", "stream 3"}, r.Sent())
		require.Empty(t, r.told())
		later(time.Minute)
		require.Equal(t, "Resync", r.store.Calls()[3], "and the timer begins anew")
	})
}

func TestResyncsRestWhileTheStateIsLost(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.options.ResyncPeriod = time.Minute
		r.begin(t)
		later(time.Second)
		r.Fail(reflectortest.Busy(200))
		r.Break(internalError())
		later(2 * time.Second)
		require.Len(t, r.Requests(), 3, "the second list has failed")
		later(190 * time.Second)
		require.Equal(t, []string{"Replace a b at 3"}, r.store.Calls())
		later(2 * time.Minute)
		require.Equal(t, []string{"Replace a b at 3", "Replace a b at 3", "Resync"}, r.store.Calls())
	})
}

// A resync that is due before its watch ends is called, also if the end is heard of first. On one processor it is: who
// was woken last runs first, and each step from the end of a watch to the end of its resyncs wakes the next.
func TestAResyncIsCalledThoughItsWatchHasEnded(t *testing.T) {
	type runner func(context.Context)
	for who, build := range map[string]func(*reflectortest.Server, cache.ReflectorStore, clock.Clock) runner{
		"ours": func(server *reflectortest.Server, into cache.ReflectorStore, clock clock.Clock) runner {
			return reflector.New(server, &corev1.ConfigMap{}, into,
				reflector.Options{Clock: clock, ResyncPeriod: time.Minute}).RunWithContext
		},
		"upstream": func(server *reflectortest.Server, into cache.ReflectorStore, clock clock.Clock) runner {
			return cache.NewReflectorWithOptions(server, &corev1.ConfigMap{}, into,
				cache.ReflectorOptions{Clock: clock, ResyncPeriod: time.Minute}).RunWithContext
		},
	} {
		t.Run(who, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			for range 50 { // under the race detector it is chance who runs first
				testkit.Bubble(t, func(t *testing.T) {
					server, store := reflectortest.NewServer("a"), &reflectortest.Store{}
					clock := clocktesting.NewFakeClock(time.Now())
					run := build(server, store, clock)
					ctx, cancel := context.WithCancel(t.Context())
					ended := make(chan struct{})
					defer func() {
						cancel()
						<-ended
					}()
					go func() {
						defer close(ended)
						run(ctx)
					}()
					synctest.Wait()
					clock.Step(time.Minute)
					server.Break(internalError())
					synctest.Wait()
					require.Equal(t, []string{"Replace a at 2", "Resync"}, store.Calls())
				})
			}
		})
	}
}

// TestTheErrorHandlerHearsOfRequestsThatFail, and not of ERROR events, very short watches, or a streaming list that
// another request takes the place of.
func TestTheErrorHandlerHearsOfRequestsThatFail(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.Fail(errDown, errDown) // a streaming list and a list
		r.begin(t)
		require.Len(t, r.told(), 1)
		require.EqualError(t, r.told()[0], "failed to list *v1.ConfigMap: down")
		later(time.Minute)
		r.Break(internalError())
		later(time.Minute)
		r.Break(reflectortest.Expired())
		later(time.Minute)
		r.Break(reflectortest.Busy(0))
		later(time.Minute)
		r.End()
		synctest.Wait()
		r.End() // a very short one
		later(time.Minute)
		require.Len(t, r.told(), 1)
		r.Fail(&cache.VeryShortWatchError{}, nil)
		r.End()
		synctest.Wait()
		require.Len(t, r.told(), 2, "a watch that is not opened")
	})
}
