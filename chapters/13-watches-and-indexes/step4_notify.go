package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// outside is a source, and how something outside sends it a key. A send waits as long as it has to, or until ctx ends.
type outside struct {
	source.Source
	send func(ctx context.Context, key client.ObjectKey) error
}

// channels are upstream's and the book's.
var channels = []struct {
	name string
	make func(h handler.EventHandler) outside
}{
	{"source.Channel", func(h handler.EventHandler) outside {
		events := make(chan event.GenericEvent) // as upstream's examples make it
		return outside{source.Channel(events, h), func(ctx context.Context, key client.ObjectKey) error {
			select {
			case events <- event.GenericEvent{Object: &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
	}},
	{"routing.Channel", func(h handler.EventHandler) outside {
		c := routing.NewChannel(h)
		return outside{c, func(_ context.Context, key client.ObjectKey) error { c.Notify(key); return nil }}
	}},
}

// How much step 4 sends, and how long it waits for somebody who may never come.
const (
	notifications = 10_000
	differentKeys = 100
	patience      = 200 * time.Millisecond
)

// burst sends to one key after another. It gives up if the first is not taken in time. It returns how many were, the
// mean time of those after the first, and when the last of each key was begun.
func (o outside) burst(ctx context.Context, limit time.Duration) (taken int, each time.Duration,
	last [differentKeys]time.Time, err error) {
	first, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	last[0] = time.Now()
	if o.send(first, client.ObjectKey{Name: "0"}) != nil {
		return 0, 0, last, context.Cause(ctx)
	}
	began := time.Now()
	for i := 1; i < notifications; i++ {
		key := i % differentKeys
		last[key] = time.Now()
		if err := o.send(ctx, client.ObjectKey{Name: strconv.Itoa(key)}); err != nil {
			return i, 0, last, err
		}
	}
	return notifications, time.Since(began) / (notifications - 1), last, nil
}

// tally counts what comes of notifications.
type tally struct {
	handled, runs atomic.Int64

	lock  sync.Mutex           // guards began
	began map[string]time.Time // the last run of each key
}

// handler counts what it is told.
func (t *tally) handler() handler.EventHandler {
	inner := routing.Object()
	return handler.Funcs{GenericFunc: func(ctx context.Context, e event.GenericEvent, q routing.Queue) {
		inner.Generic(ctx, e, q)
		t.handled.Add(1)
	}}
}

// Reconcile implements reconcile.Reconciler: a run takes a millisecond.
func (t *tally) Reconcile(_ context.Context, r reconcile.Request) (result reconcile.Result, err error) {
	began := time.Now()
	time.Sleep(time.Millisecond)
	t.runs.Add(1)
	t.lock.Lock()
	defer t.lock.Unlock()
	t.began[r.Name] = began
	return result, nil
}

// heard says whether each key has had a run that began after its moment.
func (t *tally) heard(after [differentKeys]time.Time) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	for i := range differentKeys {
		if !t.began[strconv.Itoa(i)].After(after[i]) {
			return false
		}
	}
	return true
}

// notify is step 4: events that come from elsewhere.
func (t *tour) notify(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"", "notifications taken", "a send takes", "the handler has", "runs"}}
	for _, c := range channels {
		for _, running := range []bool{false, true} {
			row, err := notified(ctx, l, c.make, running)
			if err != nil {
				return err
			}
			when := map[bool]string{false: "before the start", true: "while it runs"}[running]
			rows = append(rows, append([]string{c.name + ", " + when}, row...))
		}
	}
	l.Table(rows...)
	l.Conclude("A Go channel without a receiver has its sender wait: upstream's receives from the start to the end, and no " +
		"longer. A set of keys never has anybody wait. No key is lost by that: a run looks at what is, and not at " +
		"what it was told.")
	return nil
}

// notified sends to a controller, before or after it is started, and is what came of it.
func notified(ctx context.Context, l *lab.Lab, make func(handler.EventHandler) outside, runs bool) ([]string, error) {
	m, err := managed(l, nil)
	if err != nil {
		return nil, err
	}
	counts := &tally{began: map[string]time.Time{}}
	from := make(counts.handler())
	if err := builder.ControllerManagedBy(m).Named("notified").WatchesRawSource(from).Complete(counts); err != nil {
		return nil, err
	}
	limit := patience
	var started *running.Running
	if runs {
		started, limit = running.Run(ctx, m.Start), lab.StepLimit
		defer func() { _ = started.Stop() }()
	}
	taken, each, last, err := from.burst(ctx, limit)
	if err != nil {
		return nil, err
	}
	if taken == 0 {
		return []string{fmt.Sprintf("0, after %v", patience), "", "", ""}, nil
	}
	if !runs {
		started = running.Run(ctx, m.Start)
		defer func() { _ = started.Stop() }()
	}
	if err := before.Until(ctx, func() bool { return counts.heard(last) }); err != nil {
		return nil, err
	}
	if err := started.Stop(); err != nil {
		return nil, err
	}
	return []string{fmt.Sprint(taken), short(each), fmt.Sprint(counts.handled.Load()),
		fmt.Sprint(counts.runs.Load())}, nil
}
