package claims

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

var (
	errNo = errors.New("no")
	menu  = request("north", "menu")
	//lint:ignore SA1019 it is what these tests are about
	rushed = reconcile.Result{Requeue: true}
)

// alone is a controller without a manager, whose queue has one key to begin with. It runs until the bubble's time has
// passed.
func alone(t *testing.T, w *world, options controller.Options, d time.Duration, all ...reconcile.Request) {
	t.Helper()
	c, err := controller.NewUnmanaged("mirror", options)
	require.NoError(t, err)
	require.NoError(t, c.Watch(adds(nil, all...)))
	w.record.Restart()
	runs := start(t, c.Start)
	pass(d)
	require.NoError(t, runs.Stop())
}

// ran are the times of a key's runs.
func (w *world) ran() []time.Duration { return times(w.record, "mirror runs north/menu") }

// ms are these times in milliseconds.
func ms(all ...int) (times []time.Duration) {
	for _, n := range all {
		times = append(times, time.Duration(n)*time.Millisecond)
	}
	return times
}

// backoff is when a key comes again that fails each time.
var backoff = ms(0, 5, 15, 35, 75, 155, 315, 635)

// What a run returns is all that the controller goes by. Each gives its key back to the queue in another way: not at
// all, after a time and forgotten, or after a time that doubles. Requeue is no exception: it comes again at once only
// the first time, if 5 ms are at once.
//
// covers: B-92 B-93 C-27 S3-14
func TestWhatEachResultDoesToTheQueue(t *testing.T) {
	for _, outcome := range []struct {
		name    string
		returns reconcile.Reconciler
		within  time.Duration
		ran     []time.Duration
		queue   string // what the first run leads to
	}{
		{"nil", reconciles(reconcile.Result{}, nil), time.Hour, ms(0), "Forget"},
		{"RequeueAfter", reconciles(reconcile.Result{RequeueAfter: 20 * time.Minute}, nil), time.Hour - 1,
			[]time.Duration{0, 20 * time.Minute, 40 * time.Minute}, "Forget, AddAfter 20m0s"},
		{"Requeue", reconciles(rushed, nil), time.Second, backoff, "AddRateLimited"},
		{"an error", reconciles(reconcile.Result{}, errNo), time.Second, backoff, "AddRateLimited"},
		{"an error, and to come in an hour", reconciles(reconcile.Result{RequeueAfter: time.Hour}, errNo), time.Second,
			backoff, "AddRateLimited"},
		{"a terminal error", reconciles(reconcile.Result{}, fmt.Errorf("of a mirror: %w",
			reconcile.TerminalError(errNo))), time.Hour, ms(0), ""},
		{"a panic", reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("no") }),
			time.Second, backoff, "AddRateLimited"},
	} {
		t.Run(outcome.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				alone(t, w, w.asks("mirror", outcome.returns), outcome.within, menu)
				require.Equal(t, outcome.ran, w.ran())
				require.Equal(t, outcome.queue, w.firstRun())
			})
		})
	}
}

// firstRun is what the first run did to the queue, between its Get and its Done.
func (w *world) firstRun() (calls string) {
	began := false
	for _, e := range w.record.Events(opened.Queues) {
		switch {
		case e.What == "Get":
			began = true
		case e.What == "Done":
			return calls
		case began && calls == "":
			calls = e.What
		case began:
			calls += ", " + e.What
		}
	}
	return calls + ", and no Done"
}

// A key's failures are counted until a run returns nil or a RequeueAfter. A terminal error ends the retries and leaves
// the count: the next failure, an hour later, still waits for the time that the third failure waits.
//
// covers: B-93
func TestWhatForgetsTheFailures(t *testing.T) {
	for _, outcome := range []struct {
		name   string
		result reconcile.Result
		err    error
		waits  time.Duration // after the failure that comes after it
	}{
		{"nil", reconcile.Result{}, nil, 5 * time.Millisecond},
		{"RequeueAfter", reconcile.Result{RequeueAfter: 24 * time.Hour}, nil, 5 * time.Millisecond},
		{"a terminal error", reconcile.Result{}, reconcile.TerminalError(errNo), 20 * time.Millisecond},
	} {
		t.Run(outcome.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w, got := newWorld(t), make(chan opened.Queue, 1)
				runs := 0
				c, err := controller.NewUnmanaged("mirror", w.asks("mirror", reconcile.Func(func(context.Context,
					reconcile.Request) (reconcile.Result, error) {
					if runs++; runs == 3 {
						return outcome.result, outcome.err
					}
					if runs == 5 {
						return reconcile.Result{}, nil
					}
					return reconcile.Result{}, errNo
				})))
				require.NoError(t, err)
				require.NoError(t, c.Watch(adds(got, menu)))
				start(t, c.Start)
				queue := <-got
				pass(time.Hour)
				require.Equal(t, ms(0, 5, 15), w.ran())
				queue.Add(menu)
				pass(time.Hour)
				require.Equal(t, []time.Duration{time.Hour, time.Hour + outcome.waits}, w.ran()[3:])
			})
		})
	}
}

// What a run returns is also what the log and the metrics tell of it. An error is one line, whose message is always
// the same; the Result beside an error is another.
//
// covers: C-32 B-93 C-27
func TestWhatIsToldOfARun(t *testing.T) {
	const warning = "INFO Warning: Reconciler returned both a result with either RequeueAfter or Requeue set and a " +
		"non-nil error. RequeueAfter and Requeue will always be ignored if the error is non-nil. For more details, " +
		"see: https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/reconcile#Reconciler"
	panics := reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("no") })
	for _, outcome := range []struct {
		name     string
		returns  reconcile.Reconciler
		log      []string          // after the lines of the start, without the values
		counters map[string]string // what has grown, by the label result
	}{
		{"success", reconciles(reconcile.Result{}, nil), nil, map[string]string{"reconcile": "success"}},
		{"requeue_after", reconciles(reconcile.Result{RequeueAfter: time.Hour}, nil), nil,
			map[string]string{"reconcile": "requeue_after"}},
		{"requeue", reconciles(rushed, nil), nil, map[string]string{"reconcile": "requeue"}},
		{"error", reconciles(reconcile.Result{}, errNo), []string{`ERROR Reconciler error: no`},
			map[string]string{"reconcile": "error", "reconcile_errors": ""}},
		{"result", reconciles(rushed, errNo), []string{warning, `ERROR Reconciler error: no`},
			map[string]string{"reconcile": "error", "reconcile_errors": ""}},
		{"terminal", reconciles(reconcile.Result{}, reconcile.TerminalError(errNo)),
			[]string{`ERROR Reconciler error: terminal error: no`},
			map[string]string{"reconcile": "error", "reconcile_errors": "", "terminal_reconcile_errors": ""}},
		{"panic", panics, []string{`ERROR Reconciler error: panic: no [recovered]`},
			map[string]string{"reconcile": "error", "reconcile_errors": "", "reconcile_panics": ""}},
	} {
		t.Run(outcome.name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				c, err := controller.NewUnmanaged("told "+outcome.name, w.asks("mirror", outcome.returns))
				require.NoError(t, err)
				require.NoError(t, c.Watch(adds(nil, menu)))
				before := counted(t, "told "+outcome.name)
				start(t, c.Start)
				pass(time.Millisecond)
				require.Equal(t, outcome.log, w.said("ERROR Reconciler", "INFO Warning"))
				require.Equal(t, outcome.counters, grown(before, counted(t, "told "+outcome.name)))
			})
		})
	}
}

// said are the lines of the log that begin so, and their errors.
func (w *world) said(beginnings ...string) (all []string) {
	for _, line := range w.log() {
		for _, beginning := range beginnings {
			if len(line) >= len(beginning) && line[:len(beginning)] == beginning {
				all = append(all, line)
			}
		}
	}
	return all
}

// counted are the counters of controller-runtime's metrics for a controller, by name and result.
func counted(t *testing.T, name string) map[[2]string]float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	require.NoError(t, err)
	all := map[[2]string]float64{}
	for _, family := range families {
		short, ok := between(family.GetName(), "controller_runtime_", "_total")
		if !ok {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if labels["controller"] == name {
				all[[2]string{short, labels["result"]}] = m.GetCounter().GetValue()
			}
		}
	}
	return all
}

// grown are the counters that have grown, each by name.
func grown(before, after map[[2]string]float64) map[string]string {
	all := map[string]string{}
	for key, n := range after {
		if n > before[key] {
			all[key[0]] = key[1]
		}
	}
	return all
}

// A run that is told to end after a time is told, and not ended: its context ends, and it goes on if it does not look.
// Each run has an id of its own, which its context and its log lines carry.
//
// covers: C-27
func TestATimeoutAndAnIDOfARun(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		var ids []string
		var ended []time.Duration
		options := w.asks("mirror", reconcile.Func(func(ctx context.Context, _ reconcile.Request) (reconcile.Result,
			error) {
			ids = append(ids, string(controller.ReconcileIDFromContext(ctx)))
			begin := time.Now()
			<-ctx.Done()
			ended = append(ended, time.Since(begin))
			time.Sleep(time.Hour) // it does not end here
			return reconcile.Result{RequeueAfter: time.Minute}, nil
		}))
		options.ReconciliationTimeout = 10 * time.Second
		before := counted(t, "mirror")
		alone(t, w, options, 2*time.Hour, menu)
		require.Equal(t, []time.Duration{10 * time.Second, 10 * time.Second}, ended)
		require.Equal(t, []time.Duration{0, time.Hour + 10*time.Second + time.Minute}, w.ran())
		require.Len(t, ids, 2)
		require.NotEqual(t, ids[0], ids[1])
		require.Contains(t, grown(before, counted(t, "mirror")), "reconcile_timeouts")
	})
}

// A result can say with which priority its key comes again, also beside an error, which ignores the rest of the
// result. Without, it is that with which it came.
//
// covers: C-27 B-93
func TestAResultHasAPriority(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		got := make(chan opened.Queue, 1)
		low, lower := -7, -8
		results := []reconcile.Result{{RequeueAfter: time.Minute}, {RequeueAfter: time.Minute, Priority: &low},
			{RequeueAfter: time.Minute, Priority: &lower}, {}}
		c, err := controller.NewUnmanaged("mirror", w.asks("mirror", reconcile.Func(func(context.Context,
			reconcile.Request) (result reconcile.Result, err error) {
			result, results = results[0], results[1:]
			if result.Priority == &lower {
				err = errNo
			}
			return result, err
		})))
		require.NoError(t, err)
		require.NoError(t, c.Watch(adds(got)))
		start(t, c.Start)
		ten := 10
		(<-got).(priorityqueue.PriorityQueue[reconcile.Request]).AddWithOpts(
			priorityqueue.AddOpts{Priority: &ten}, menu)
		pass(time.Hour)
		var adds []string
		for _, e := range w.record.Events(opened.Queues) {
			if e.What[:3] == "Add" {
				adds = append(adds, e.What)
			}
		}
		require.Equal(t, []string{"Add at priority 10", "AddAfter 1m0s at priority 10", "AddAfter 1m0s at priority -7",
			"AddRateLimited at priority -8"}, adds)
	})
}
