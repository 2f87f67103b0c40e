package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// slow is how long the handlers of step 4 go on when the next event has arrived.
const slow = 500 * time.Millisecond

// wait is step 4: an event comes while a handler works.
func wait(ctx context.Context, l *lab.Lab) error {
	t, err := beginAfterList(ctx, l, "hours", "menu")
	if err != nil {
		return err
	}
	defer t.stop()
	t.Update("menu")
	if t.Err != nil {
		return t.Err
	}
	<-t.Saw.Began // the call with menu, which has ended
	arrived := make(chan struct{})
	first, second := popSlowly(t.delta, arrived), popSlowly(t.real, arrived)
	<-first.works
	<-second.works
	l.Became("both handlers work on menu")
	go func() {
		defer close(arrived)
		select {
		case <-t.Saw.Began:
		case <-ctx.Done():
		}
	}()
	t.Update("hours")
	if err := errors.Join(t.Err, <-first.done, <-second.done); err != nil {
		return err
	}
	l.Table([]string{"", "DeltaFIFO", "RealFIFO"},
		[]string{"a handler goes on with menu for", milliseconds(slow), milliseconds(slow)},
		[]string{"the Reflector's Update of hours takes", milliseconds(t.Saw.Took[t.delta]),
			milliseconds(t.Saw.Took[t.real])})
	l.Conclude("DeltaFIFO is locked while its handler works, and RealFIFO is not. While it waits for a queue, " +
		"the Reflector does not read its watch, and the server ends the watch of a client that does not read.")
	return nil
}

// working is a Pop that takes its time.
type working struct {
	works chan struct{} // closed when the handler begins
	done  chan error    // what Pop returned
}

// popSlowly pops once, with a handler that works until the next event arrives, and for a while more.
func popSlowly(s *scenario.Side, arrived <-chan struct{}) working {
	w := working{works: make(chan struct{}), done: make(chan error, 1)}
	go func() {
		_, err := s.Queue.Pop(func(popped any, isInInitialList bool) error {
			close(w.works)
			<-arrived
			time.Sleep(slow)
			return s.Process(popped, isInInitialList)
		})
		w.done <- err
	}()
	return w
}

// milliseconds is a time, rounded to ten of them.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(10*time.Millisecond).Milliseconds())
}
