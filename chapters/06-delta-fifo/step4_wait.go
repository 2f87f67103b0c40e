package main

import (
	"context"
	"errors"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// slow is how long the handler of step 4 works.
const slow = 500 * time.Millisecond

// wait is step 4: an event comes while a handler works.
func wait(ctx context.Context, l *lab.Lab) error {
	w, err := newWriter(ctx, l, "hours", "menu")
	if err != nil {
		return err
	}
	delta, real := newDelta(), newReal()
	w.saw = newFeed(l, real, delta) // the one that does not wait first, so that it does not wait for the other
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
	w.update("menu")
	if w.err != nil {
		return w.err
	}
	first, second := real.popSlowly(), delta.popSlowly()
	<-first.works
	<-second.works
	l.Became("both handlers work on menu")
	w.update("hours")
	if err := errors.Join(w.err, <-first.done, <-second.done); err != nil {
		return err
	}
	l.Table([]string{"", "DeltaFIFO", "RealFIFO"},
		[]string{"a handler works on menu for", milliseconds(slow), milliseconds(slow)},
		[]string{"the Reflector's Update of hours takes", milliseconds(w.saw.took[delta]),
			milliseconds(w.saw.took[real])})
	l.Conclude("While it waits for a queue, the Reflector does not read its watch, " +
		"and the server ends the watch of a client that does not read.")
	return nil
}

// working is a Pop that takes its time.
type working struct {
	works chan struct{} // closed when the handler begins
	done  chan error    // what Pop returned
}

// popSlowly pops once, with a handler that works for a while.
func (s *side) popSlowly() working {
	w := working{works: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		_, err := s.queue.Pop(func(popped any, isInInitialList bool) error {
			close(w.works)
			time.Sleep(slow)
			return s.process(popped, isInInitialList)
		})
		w.done <- err
	}()
	return w
}
