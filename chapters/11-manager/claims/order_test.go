package claims

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// furnished is a manager with a runnable of each class, whose cache has an informer. Each takes this long to stop.
func (w *world) furnished(options ctrl.Options, lasts time.Duration) ctrl.Manager {
	w.t.Helper()
	one := func(name string) opened.Runnable { return opened.Runnable{Record: w.record, Name: name, Lasts: lasts} }
	options.WebhookServer = opened.Webhooks{Runnable: one("webhooks")}
	m := w.manager(options)
	server, err := w.record.Server("health", pipe.Listen("health"))
	require.NoError(w.t, err)
	m.GetWebhookServer() // which adds it
	for _, r := range []manager.Runnable{one("leader"), opened.Warm{Runnable: one("warm")},
		opened.Everywhere{Runnable: one("other")}, server} { // in the wrong order
		require.NoError(w.t, m.Add(r))
	}
	_, err = m.GetCache().GetInformer(w.t.Context(), configMap("", ""))
	require.NoError(w.t, err)
	w.record.Restart()
	return m
}

// events are the recorded ones of runnables and of the cache, those of one instant sorted.
func (w *world) events() []instant {
	return sorted(slices.DeleteFunc(moments(w.record, opened.Runnables, opened.Caches), func(m instant) bool {
		return strings.HasPrefix(m.what, "the cache is asked")
	}))
}

// A manager starts first what others ask for: its HTTP servers, and its webhooks, since the API server may have to ask
// them before it can answer a list. The cache comes next, and the manager waits until it is filled. Then come
// runnables that need no election, and warm-ups, then the election, and what needs it last: controllers.
//
// covers: B-90 C-30 S3-11
func TestOrderOfStart(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		other := start(t, w.manager(w.elected()).Start)
		pass(time.Minute) // that one is elected
		w.wire.instead(late("configmaps", time.Minute))
		m := w.furnished(w.elected(), 0)
		start(t, m.Start)
		pass(5 * time.Minute)
		first := []instant{{0, "health starts"}, {0, "the cache starts"}, {0, "webhooks starts"}}
		require.Equal(t, first, w.events()[:3])
		filled := slices.DeleteFunc(w.events()[3:], func(m instant) bool { return m.what == "warm is warm" })
		require.Len(t, filled, 3)
		at := filled[0].at
		require.GreaterOrEqual(t, at, time.Minute, "the list takes that long")
		require.Equal(t, sorted([]instant{{at, "other starts"}, {at, "the cache has synced"}, {at, "warm warms up"}}),
			filled)
		require.Empty(t, times(w.record, "leader starts"), "the other has the lease")
		select {
		case <-m.Elected():
			t.Fatal("it is elected")
		default:
		}

		require.NoError(t, other.Stop()) // without giving its lease back
		pass(time.Minute)
		require.Len(t, times(w.record, "leader starts"), 1)
		require.Len(t, times(w.record, "warm starts"), 1)
		<-m.Elected()
	})
}

// The manager waits for no warm-up: one that takes an hour holds back nothing.
//
// covers: C-30
func TestNobodyWaitsForAWarmup(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		warm := opened.Warm{Runnable: opened.Runnable{Record: w.record, Name: "warm"}, Takes: time.Hour}
		require.NoError(t, m.Add(warm))
		w.record.Restart()
		start(t, m.Start)
		pass(2 * time.Hour)
		require.Equal(t, []time.Duration{0}, times(w.record, "warm starts"))
		require.Equal(t, []time.Duration{time.Hour}, times(w.record, "warm is warm"))
	})
}

// Runnables are stopped group by group, and each group's end is waited for: what needs no election, then what needs
// it, then the cache, the webhooks, and the HTTP servers last. Warm-ups are stopped beside them. The lease is given
// up after all of that.
//
// covers: B-90 C-30
func TestOrderOfStop(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		options := w.elected()
		options.LeaderElectionReleaseOnCancel = true
		m := w.furnished(options, time.Second)
		runs := start(t, m.Start)
		pass(time.Minute)
		w.record.Restart()
		require.NoError(t, runs.Stop())
		want := []instant{
			{0, "other is told to stop"}, {1, "other has stopped"},
			{1, "leader is told to stop"}, {1, "warm is told to stop"},
			{2, "leader has stopped"}, {2, "warm has stopped"},
			{2, "the cache has stopped"},
			{2, "webhooks is told to stop"}, {3, "webhooks has stopped"},
			{3, "health has stopped"},
		}
		for i := range want {
			want[i].at *= time.Second
		}
		require.Equal(t, sorted(want), w.events())
		var last []string
		for _, e := range w.record.Events(opened.Requests) {
			if e.At == 3*time.Second {
				last = append(last, e.What)
			}
		}
		require.Contains(t, last, "PUT leases/mirror", "the lease is given back at the very end")
		require.Equal(t, []string{
			"INFO Stopping and waiting for non leader election runnables",
			"INFO Stopping and waiting for leader election runnables",
			"INFO Stopping and waiting for caches",
			"INFO Stopping and waiting for webhooks",
			"INFO Stopping and waiting for HTTP servers",
			"INFO Wait completed, proceeding to shutdown the manager",
		}, slices.DeleteFunc(w.said("INFO Stopping", "INFO Wait"), func(line string) bool {
			return strings.Contains(line, "warmup") // which another goroutine says
		}))
	})
}

// A runnable that does not end is waited for during the grace period, half a minute unless told, and then left alone.
//
// covers: C-30
func TestTheGracePeriod(t *testing.T) {
	for _, grace := range []struct {
		given *time.Duration
		waits time.Duration
		said  string
	}{
		{nil, 30 * time.Second, "30s"},
		{ptr.To(time.Second), time.Second, "1s"},
		{ptr.To(time.Duration(0)), 0, ""},
		{ptr.To(-time.Second), time.Hour, ""},
	} {
		t.Run(grace.waits.String(), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				options := w.options()
				options.GracefulShutdownTimeout = grace.given
				m := w.manager(options)
				require.NoError(t, m.Add(opened.Runnable{Record: w.record, Name: "slow", Lasts: time.Hour}))
				runs := start(t, m.Start)
				pass(time.Minute)
				begin := time.Now()
				err := runs.Stop()
				require.Equal(t, grace.waits, time.Since(begin))
				if grace.said == "" {
					require.NoError(t, err)
				} else {
					require.EqualError(t, err, "failed waiting for all runnables to end within grace period of "+
						grace.said+": context deadline exceeded")
				}
				pass(2 * time.Hour) // the runnable ends, or the bubble could not
			})
		})
	}
}

// When the grace period is over the Lease is given back, whatever still runs: another manager leads beside it.
//
// covers: B-90 C-30
func TestALeaseIsGivenBackAfterTheGracePeriod(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		leader := w.candidate(func(o *ctrl.Options, _ *controller.Options) { o.LeaderElectionReleaseOnCancel = true })
		require.NoError(t, leader.Add(opened.Runnable{Record: leader.record, Name: "slow", Lasts: 2 * time.Minute}))
		pass(time.Second)
		standby := w.candidate(nil)
		pass(time.Minute)
		leader.record.Restart()
		require.ErrorContains(t, leader.Stop(), "failed waiting for all runnables to end within grace period of 30s")
		require.False(t, standby.isElected())
		<-standby.Elected()
		require.Len(t, times(leader.record, "slow is told to stop"), 1)
		require.Empty(t, times(leader.record, "slow has stopped"), "it runs, and the other leads")
		pass(3 * time.Minute)
	})
}

// A manager ends with the error of whichever runnable fails first, and stops the others.
//
// covers: C-30
func TestAManagerEndsWithItsRunnables(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		require.NoError(t, m.Add(opened.Runnable{Record: w.record, Name: "mine"}))
		require.NoError(t, m.Add(manager.RunnableFunc(func(context.Context) error {
			time.Sleep(time.Hour)
			return errNo
		})))
		w.record.Restart()
		runs := start(t, m.Start)
		pass(2 * time.Hour)
		require.True(t, runs.over())
		require.ErrorIs(t, runs.Stop(), errNo)
		require.Equal(t, []time.Duration{time.Hour}, times(w.record, "mine has stopped"))
		require.EqualError(t, m.Start(t.Context()), "manager already started")
		require.EqualError(t, m.Add(opened.Runnable{Record: w.record, Name: "late"}),
			"can't accept new runnable as stop procedure is already engaged")
		synctest.Wait()
	})
}
