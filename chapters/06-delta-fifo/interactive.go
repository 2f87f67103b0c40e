package main

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// pause is how long a consumer rests after each Pop, so that a reader's hands can fill the queues.
const pause = 5 * time.Second

// follow is -interactive: both queues follow what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("Two queues follow the ConfigMaps of %s. Each is popped once in %s, so that deltas have the time to "+
		"gather. In another terminal, in this folder:", l.Namespace, pause)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("for i in 1 2 3; do %s annotate cm fig ripe=$i --overwrite; done", kc)
	l.Command("%s delete cm fig", kc)
	on, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	f := scenario.NewFeed(l, scenario.NewReal(fifo.Parts{}), scenario.NewDelta(fifo.Parts{}))
	stop, err := f.Reflect(ctx, on)
	if err != nil {
		return err
	}
	defer stop()
	go func() { // nobody here waits for a call
		for f.Await(ctx) == nil {
		}
	}()
	done := make(chan error, len(f.Sides))
	for _, s := range f.Sides {
		go func() { done <- popNowAndThen(ctx, l, s) }()
	}
	<-ctx.Done() // nothing but the reader ends it
	for _, s := range f.Sides {
		s.Queue.Close()
	}
	return errors.Join(<-done, <-done)
}

// popNowAndThen pops, shows what came, and rests.
func popNowAndThen(ctx context.Context, l *lab.Lab, s *scenario.Side) error {
	for {
		popped, err := s.Queue.Pop(s.Process)
		if errors.Is(err, cache.ErrFIFOClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		l.Wire("%-9s  %s", s.Name, s.Say(popped.(cache.Deltas)))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}
