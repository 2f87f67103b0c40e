package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// outcome is a way in which a run can end: the name of the key whose runs end so.
type outcome struct {
	name   string
	runs   int // how many there are to be
	result func(run int) (reconcile.Result, error)
}

// errTrouble is what goes wrong in the demo's runs.
var errTrouble = errors.New("no")

// always is an outcome that is the same in each run.
func always(name string, runs int, result reconcile.Result, err error) outcome {
	return outcome{name, runs, func(int) (reconcile.Result, error) { return result, err }}
}

const soon = 100 * time.Millisecond

func outcomes() []outcome {
	return []outcome{
		always("nil", 1, reconcile.Result{}, nil),
		always("RequeueAfter: 100ms", shownRuns, reconcile.Result{RequeueAfter: soon}, nil),
		//lint:ignore SA1019 what it does is to be seen
		always("Requeue: true", shownRuns, reconcile.Result{Requeue: true}, nil),
		always("an error", shownRuns, reconcile.Result{}, errTrouble),
		always("an error and RequeueAfter: 1h", shownRuns, reconcile.Result{RequeueAfter: time.Hour}, errTrouble),
		always("a TerminalError", 1, reconcile.Result{}, reconcile.TerminalError(errTrouble)),
		{"a panic", shownRuns, func(int) (reconcile.Result, error) { panic("no") }},
		{"error, 100ms, error, error", shownRuns, func(run int) (reconcile.Result, error) {
			if run == 1 {
				return reconcile.Result{RequeueAfter: soon}, nil
			}
			return reconcile.Result{}, errTrouble
		}},
	}
}

// shownRuns is how many runs the table has room for.
const shownRuns = 4

// results is step 3: what a controller does to its queue after a run.
func (t *tour) results(ctx context.Context, l *lab.Lab) error {
	all, record := outcomes(), opened.New()
	c, err := t.returning(all, record)
	if err != nil {
		return err
	}
	running := scenario.Run(ctx, c.Start)
	defer func() { _ = running.Stop() }()
	rows := [][]string{{"the run returns", "then, on the queue", "1st run", "2nd", "3rd", "4th"}}
	for _, o := range all {
		if err := awaitRuns(ctx, record, o); err != nil {
			return err
		}
	}
	if err := running.Stop(); err != nil {
		return err
	}
	for _, o := range all {
		rows = append(rows, row(record, o))
	}
	l.Table(rows...)
	for _, e := range record.Events(opened.Log) {
		if strings.Contains(e.What, "Warning") {
			l.WireWhole(e.What)
			break
		}
	}
	l.Conclude("nil and RequeueAfter forget the key's failures, so the next one waits 5 ms again. Requeue is no " +
		"quick way: it counts as a failure. What can't succeed is a TerminalError: it is logged, and not tried " +
		"again.")
	return nil
}

// returning is a controller that is in no manager. Its source adds a key for each outcome, and its runs end as those
// say.
func (t *tour) returning(all []outcome, record *opened.Record) (controller.Controller, error) {
	runs := map[string]int{} // there is one worker
	run := reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
		i := slices.IndexFunc(all, func(o outcome) bool { return o.name == r.Name })
		runs[r.Name]++
		if runs[r.Name] > all[i].runs {
			return reconcile.Result{}, nil
		}
		return all[i].result(runs[r.Name] - 1)
	})
	c, err := controller.NewUnmanaged("results", controller.Options{
		SkipNameValidation: ptr.To(true),
		Logger:             record.Logger(),
		NewQueue:           record.NewQueue(t.parts.made().NewQueue),
		Reconciler:         record.Reconciler("results", run),
	})
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(all))
	for _, o := range all {
		names = append(names, o.name)
	}
	return c, c.Watch(keys(names...))
}

// awaitRuns waits until all runs of an outcome are over.
func awaitRuns(ctx context.Context, record *opened.Record, o outcome) error {
	n := 0
	_, err := record.Await(ctx, func(e opened.Event) bool {
		if e.Part == opened.Queues && e.What == "Done" && e.Item == o.name {
			n++
		}
		return n == o.runs
	})
	return err
}

// row is what happened to an outcome's key.
func row(record *opened.Record, o outcome) []string {
	var calls []string
	var times []string
	var first time.Duration
	done := 0
	for _, e := range record.Events(opened.Queues, opened.Reconcilers) {
		switch {
		case e.Item != o.name:
		case e.Part == opened.Reconcilers && e.What == "runs" && len(times) < min(o.runs, shownRuns):
			if len(times) == 0 {
				first = e.At
			}
			times = append(times, fmt.Sprint((e.At - first).Round(time.Millisecond)))
		case e.Part == opened.Queues && e.What == "Done":
			done++
		case e.Part == opened.Queues && done == o.runs-1 && len(times) > 0 && e.What != "Get":
			calls = append(calls, e.What)
		}
	}
	if len(calls) == 0 {
		calls = []string{"nothing"}
	}
	return append([]string{o.name, strings.Join(calls, ", ")}, times...)
}
