package main

import (
	"context"
	"errors"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// batches is step 3: one queue is popped object by object, the other in batches.
func batches(ctx context.Context, l *lab.Lab) error {
	w, err := newWriter(ctx, l, "hours", "rules")
	if err != nil {
		return err
	}
	delta, real := newDelta(), newReal()
	w.saw = newFeed(l, delta, real)
	stop, err := w.saw.reflect(ctx, w.on)
	if err != nil {
		return err
	}
	defer stop()
	for _, s := range w.saw.sides {
		if err := s.catchUp(); err != nil {
			return err
		}
	}
	l.Became("both consumers have hours and rules; from here on nobody pops")
	w.create("menu")
	w.update("hours")
	w.update("menu")
	w.create("prices")
	if w.err != nil {
		return w.err
	}
	stop() // so that the next call is this step's
	if err := w.saw.Resync(); err != nil {
		return err
	}
	left, err := delta.drain(delta.process)
	if err != nil {
		return err
	}
	right, err := real.drainBatches()
	if err != nil {
		return err
	}
	beside(l, left, right)
	l.Conclude("A batch ends before an object that it already has, and before SyncAll. " +
		"DeltaFIFO resyncs rules alone: the store has neither menu nor prices yet, and hours waits in the queue.")
	return nil
}

// drainBatches is drain, in batches.
func (s *side) drainBatches() (lines []string, err error) {
	s.queue.Close()
	batch := func(popped []cache.Delta, isInInitialList bool) error {
		lines = append(lines, s.say(popped))
		return s.processBatch(popped, isInInitialList)
	}
	single := func(popped any, isInInitialList bool) error {
		return batch(popped.(cache.Deltas), isInInitialList)
	}
	for err == nil {
		err = s.queue.(cache.QueueWithBatch).PopBatch(batch, single)
	}
	if errors.Is(err, cache.ErrFIFOClosed) {
		err = nil
	}
	return lines, err
}
