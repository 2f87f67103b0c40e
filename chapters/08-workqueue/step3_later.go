package main

import (
	"context"
	"slices"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// later is step 3: a key is added for a later time, more than once.
func (t *tour) later(ctx context.Context, l *lab.Lab) error {
	hours := key(l, "hours")
	began := time.Now()
	for _, delay := range []time.Duration{400, 200, 600} {
		l.Sent("AddAfter(hours, %s)", delay*time.Millisecond)
		t.Queue.AddAfter(hours, delay*time.Millisecond)
	}
	if err := t.heard(ctx, l, began, 800*time.Millisecond); err != nil {
		return err
	}
	l.Conclude("A key waits once, and of several times the earliest holds.")
	began = time.Now()
	const soon = time.Second // on a busy machine it takes a while until a worker has what was added
	l.Sent("AddAfter(hours, %s)", soon)
	t.Queue.AddAfter(hours, soon)
	l.Sent("Add(hours)")
	t.Queue.Add(hours)
	if err := t.heard(ctx, l, began, soon+500*time.Millisecond); err != nil {
		return err
	}
	l.Conclude("But Add does not take away what waits: hours is handed out now, and once more later. A run has to " +
		"be right also if there is nothing to do.")
	return nil
}

// heard shows when hours is handed out from a moment on, until a time is over.
func (t *tour) heard(ctx context.Context, l *lab.Lab, began time.Time, over time.Duration) error {
	if err := scenario.Until(ctx, func() bool { return time.Since(began) > over }); err != nil {
		return err
	}
	ran := slices.DeleteFunc(t.Runs("hours"), func(r scenario.Run) bool { return r.Began.Before(began) })
	for _, run := range ran {
		l.Wire("hours is handed out after %s", ms(run.Began.Sub(began)))
	}
	l.Became("runs within %s: %d", ms(over), len(ran))
	return nil
}
