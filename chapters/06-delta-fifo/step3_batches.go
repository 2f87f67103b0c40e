package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// batches is step 3: one queue is popped object by object, the other in batches.
func batches(ctx context.Context, l *lab.Lab) error {
	t, err := beginAfterList(ctx, l, "hours", "rules")
	if err != nil {
		return err
	}
	defer t.stop()
	t.Create("menu")
	t.Update("hours")
	t.Update("menu")
	t.Create("prices")
	if t.Err != nil {
		return t.Err
	}
	t.stop() // so that the next call is this step's alone
	if err := t.Saw.Resync(); err != nil {
		return err
	}
	left, err := t.delta.Drain(t.delta.Process)
	if err != nil {
		return err
	}
	right, err := t.real.DrainBatches()
	if err != nil {
		return err
	}
	beside(l, left, right)
	l.Conclude("A batch ends before an object that it already has, and before SyncAll. " +
		"DeltaFIFO resyncs rules alone: the store has neither menu nor prices yet, and hours waits in the queue.")
	return nil
}
