package claims

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// candidate is a manager with one controller of ConfigMaps, over requests of its own, that runs for election.
type candidate struct {
	running
	ctrl.Manager
	record *opened.Record
}

func (w *world) candidate(change func(*ctrl.Options, *controller.Options)) *candidate {
	w.t.Helper()
	own := *w
	own.record = opened.New()
	own.config = rest.CopyConfig(w.config)
	own.config.WrapTransport = own.record.Transport("") // in place of the world's
	options, how := own.elected(), own.asks("mirror", reconciles(reconcile.Result{}, nil))
	if change != nil {
		change(&options, &how)
	}
	m := own.manager(options)
	c, err := controller.New("mirror", m, how)
	require.NoError(w.t, err)
	require.NoError(w.t, c.Watch(source.Kind(m.GetCache(), configMap("", ""),
		&handler.TypedEnqueueRequestForObject[*configMapType]{})))
	return &candidate{start(w.t, m.Start), m, own.record}
}

// watches are those that were opened.
func (c *candidate) watches() (all []string) {
	for _, line := range c.record.Lines(opened.Requests) {
		if strings.HasSuffix(line, ", a watch") && !strings.HasPrefix(line, "end of") {
			all = append(all, line)
		}
	}
	return all
}

// isElected says whether it is.
func (c *candidate) isElected() bool {
	select {
	case <-c.Elected():
		return true
	default:
		return false
	}
}

// A standby's cache is started and holds nothing. Its controllers ask for informers when they start, and they are not
// started. Each few seconds it reads the lease, and that is all it sends. When it is elected, it has everything to
// read.
//
// covers: B-91 S0-26
func TestAStandbyHoldsNoWatch(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		leader := w.candidate(nil)
		pass(time.Second)
		standby := w.candidate(nil)
		pass(3 * time.Minute) // a watch lasts five or more
		require.True(t, leader.isElected())
		require.Equal(t, []string{"GET configmaps, a watch"}, leader.watches())

		require.False(t, standby.isElected())
		require.Contains(t, standby.record.Lines(opened.Caches), "the cache has synced", "of nothing")
		require.Empty(t, standby.record.Events(opened.Informers))
		standby.record.Restart()
		pass(time.Minute)
		asked := standby.record.Lines(opened.Requests)
		require.GreaterOrEqual(t, len(asked), 13, "each 2 to 4.4 seconds")
		require.LessOrEqual(t, len(asked), 31)
		for _, line := range asked {
			require.Equal(t, "GET leases/mirror", line)
		}

		require.NoError(t, leader.Stop())
		pass(time.Minute)
		require.Equal(t, []string{"GET configmaps, a watch"}, standby.watches())
		require.Contains(t, standby.record.Lines(opened.Reconcilers), "mirror runs north/menu")
	})
}

// What a standby holds is what somebody asked its cache for before: a controller that warms up, an index, or a read
// of anybody's.
//
// covers: B-91
func TestWhatMakesAStandbyWatch(t *testing.T) {
	for name, change := range map[string]func(m ctrl.Manager) error{
		"an index": func(m ctrl.Manager) error {
			return m.GetFieldIndexer().IndexField(context.Background(), configMap("", ""), "data.of",
				func(o ctrlObject) []string { return nil })
		},
		"a read": func(m ctrl.Manager) error {
			err := m.GetClient().Get(context.Background(), ctrlKey{Namespace: "north", Name: "menu"}, configMap("", ""))
			if err == nil || err.Error() != "the cache is not started, can not read objects" {
				return errors.Join(errNo, err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				w.candidate(nil)
				pass(time.Second)
				m := w.manager(w.elected())
				require.NoError(t, change(m))
				w.record.Restart()
				start(t, m.Start)
				pass(time.Minute)
				require.Contains(t, w.record.Lines(opened.Requests), "GET configmaps, a watch")
			})
		})
	}
	t.Run("a warm-up", func(t *testing.T) {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			w.create("north", "menu")
			leader := w.candidate(nil)
			pass(time.Second)
			standby := w.candidate(func(_ *ctrl.Options, o *controller.Options) { o.EnableWarmup = ptr.To(true) })
			pass(time.Minute)
			require.Equal(t, []string{"GET configmaps, a watch"}, standby.watches())
			require.Equal(t, []string{"mirror Add at priority -100 north/menu"}, standby.record.Lines(opened.Queues),
				"what waits in its queue")
			require.Empty(t, standby.record.Events(opened.Reconcilers))
			require.NoError(t, leader.Stop())
			pass(time.Minute)
			require.Contains(t, standby.record.Lines(opened.Reconcilers), "mirror runs north/menu")
			require.Len(t, standby.watches(), 1)
		})
	})
}

// A manager that can't renew its lease for ten seconds ends, at once and with an error: its runnables are told to stop
// and not waited for. Five seconds later the lease is another's.
//
// covers: C-30 B-112
func TestALostLeaseEndsTheManager(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		leader := w.candidate(nil)
		slow := opened.Runnable{Record: leader.record, Name: "slow", Lasts: time.Minute}
		require.NoError(t, leader.Add(slow))
		pass(time.Minute)
		require.True(t, leader.isElected())
		require.Contains(t, leader.said(), "leaderelection INFO Successfully acquired lease")

		leader.record.Restart()
		w.wire.instead(func(r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "/leases") {
				return nil, errors.New("the network is gone")
			}
			return nil, nil
		})
		lost := time.Now()
		<-leader.Ended
		require.EqualError(t, leader.Stop(), "leader election lost")
		synctest.Wait()
		require.InDelta(t, 10, time.Since(lost).Seconds(), 2.1)
		require.Len(t, times(leader.record, "slow is told to stop"), 1)
		require.Empty(t, times(leader.record, "slow has stopped"), "nobody waited")
		for _, line := range []string{"leaderelection ERROR Error retrieving lease lock",
			"leaderelection INFO Failed to renew lease"} {
			require.Contains(t, strings.Join(leader.said(), "\n"), line)
		}
		w.wire.instead(nil)
		next := w.candidate(nil)
		pass(time.Minute)
		require.True(t, next.isElected())
		require.Len(t, times(leader.record, "slow has stopped"), 1)
	})
}

// With LeaderElectionReleaseOnCancel a manager whose Lease is lost asks for the Lease once more, to give it back, and
// only then tells its runnables to stop. If that request gets no answer it takes 5 s, half of the RenewDeadline. So
// the runnables go on for 17 s after the last renewal, and 15 s after it the Lease may be another's.
//
// covers: C-30
func TestALeaseThatIsGivenBackIsLostLater(t *testing.T) {
	for release, stops := range map[bool]time.Duration{false: 12 * time.Second, true: 17 * time.Second} {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			leader := w.candidate(func(o *ctrl.Options, _ *controller.Options) {
				o.LeaderElectionReleaseOnCancel = release
			})
			require.NoError(t, leader.Add(opened.Runnable{Record: leader.record, Name: "slow", Lasts: time.Minute}))
			pass(time.Minute)
			require.True(t, leader.isElected())
			w.wire.instead(func(r *http.Request) (*http.Response, error) {
				if !strings.Contains(r.URL.Path, "/leases") {
					return nil, nil
				}
				<-r.Context().Done() // nobody answers
				return nil, r.Context().Err()
			})
			renewed, renewals := time.Duration(0), times(leader.record, "PUT leases/mirror")
			for _, at := range renewals {
				renewed = max(renewed, at)
			}
			<-leader.Ended
			require.EqualError(t, leader.Stop(), "leader election lost")
			synctest.Wait()
			told := times(leader.record, "slow is told to stop")
			require.Len(t, told, 1)
			require.InDelta(t, stops.Seconds(), (told[0] - renewed).Seconds(), 0.5, "%v", renewals)
			require.Empty(t, times(leader.record, "slow has stopped"), "nobody waited")
			pass(2 * time.Minute)
		})
	}
}

// said are the lines of its log with the names of their loggers and without their values.
func (c *candidate) said() (all []string) {
	for _, e := range c.record.Events(opened.Log) {
		e.Item = ""
		all = append(all, e.String())
	}
	return all
}

// A lease that its holder gives back at its end is taken within seconds. One that is not has to run out: 15 s from
// what the standby saw last.
//
// covers: C-30
func TestHowLongAChangeOfLeadersTakes(t *testing.T) {
	for release, within := range map[bool][2]time.Duration{true: {0, 5 * time.Second},
		false: {12 * time.Second, 25 * time.Second}} {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			leader := w.candidate(func(o *ctrl.Options, _ *controller.Options) {
				o.LeaderElectionReleaseOnCancel = release
			})
			pass(time.Second)
			standby := w.candidate(nil)
			pass(time.Minute)
			require.NoError(t, leader.Stop())
			begin := time.Now()
			<-standby.Elected()
			require.GreaterOrEqual(t, time.Since(begin), within[0])
			require.LessOrEqual(t, time.Since(begin), within[1])
			pass(time.Second) // until its controller has started
			lease, err := w.user.CoordinationV1().Leases("home").Get(t.Context(), "mirror", metav1.GetOptions{})
			require.NoError(t, err)
			require.EqualValues(t, 15, *lease.Spec.LeaseDurationSeconds)
		})
	}
}

// A manager that runs for no election is elected by itself. One that does has to say for which.
//
// covers: C-30 S3-09
func TestAnElectionHasAName(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		start(t, m.Start)
		<-m.Elected()
		require.NotContains(t, strings.Join(w.record.Lines(opened.Requests), "\n"), "leases")
		options := w.elected()
		options.LeaderElectionID = ""
		_, err := ctrl.NewManager(w.config, options)
		require.EqualError(t, err, "LeaderElectionID must be configured")
		options = w.elected()
		options.LeaderElectionNamespace = ""
		_, err = ctrl.NewManager(w.config, options)
		require.EqualError(t, err, "unable to find leader election namespace: not running in-cluster, please specify "+
			"LeaderElectionNamespace")
	})
}

// A candidate that may not read the Lease, or not make it, stays a standby: it does not end, and asks again each two
// seconds. One whose update is refused reads again.
func TestALeaseThatIsRefused(t *testing.T) {
	for _, refusal := range []struct {
		method, reason string
		code           int
		line           string
	}{
		{http.MethodGet, "Forbidden", 403, "leaderelection ERROR Error retrieving lease lock"},
		{http.MethodPost, "Forbidden", 403, "leaderelection ERROR Error initially creating lease lock"},
		{http.MethodPut, "Conflict", 409, "leaderelection ERROR Failed to update lease"},
	} {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			first := w.candidate(nil)
			pass(time.Minute)
			require.True(t, first.isElected())
			require.NoError(t, first.Stop())
			if refusal.method == http.MethodPost {
				require.NoError(t, w.user.CoordinationV1().Leases("home").Delete(t.Context(), "mirror",
					metav1.DeleteOptions{}))
			}
			pass(time.Minute)
			refused := 0
			w.wire.instead(func(r *http.Request) (*http.Response, error) {
				if !strings.Contains(r.URL.Path, "/leases") || r.Method != refusal.method {
					return nil, nil
				}
				refused++
				return said(r, refusal.code, refusal.reason), nil
			})
			c := w.candidate(nil)
			pass(time.Minute)
			require.False(t, c.isElected())
			require.False(t, c.over(), "it waits for its turn, for ever")
			require.Contains(t, strings.Join(c.said(), "\n"), refusal.line)
			w.wire.instead(nil)
			// Each 2 to 4.4 seconds; an update only when the Lease has stood still for 15.
			require.GreaterOrEqual(t, refused, 9)
			pass(time.Minute)
			require.True(t, c.isElected())
		})
	}
}

// said is an answer of the API server that is a Status.
func said(r *http.Request, code int, reason string) *http.Response {
	return &http.Response{StatusCode: code, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: text(fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"refused","reason":%q,`+
			`"code":%d}`, reason, code))}
}

// The three times of an election depend on each other, and each that is not set has its own default: 15 s, 10 s and
// 2 s. Who shortens one has to shorten the next. Start says so.
func TestTimesOfAnElection(t *testing.T) {
	for words, shorten := range map[string]func(*ctrl.Options){
		"leaseDuration must be greater than renewDeadline": func(o *ctrl.Options) {
			o.LeaseDuration = ptr.To(10 * time.Second)
		},
		"renewDeadline must be greater than retryPeriod*JitterFactor": func(o *ctrl.Options) {
			o.RenewDeadline = ptr.To(2400 * time.Millisecond) // 1.2 times the default
		},
	} {
		testkit.Bubble(t, func(t *testing.T) {
			w := newWorld(t)
			options := w.elected()
			shorten(&options)
			require.EqualError(t, w.manager(options).Start(t.Context()),
				"failed during initialization leader election process: "+words)
		})
	}
}
