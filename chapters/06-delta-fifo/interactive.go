package main

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// pause is how long a consumer rests after each Pop, so that a reader's hands can fill the queues.
const pause = 5 * time.Second

// follow is -interactive: both queues follow what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("Two queues follow the ConfigMaps of %s. Each is popped once in %s, so that deltas have the time to "+
		"gather. In another terminal, in this folder:", l.Namespace, pause)
	l.Command("%s create cm fig", l.Kubectl())
	l.Command("for i in 1 2 3; do %s annotate cm fig ripe=$i --overwrite; done", l.Kubectl())
	l.Command("%s delete cm fig", l.Kubectl())
	on, err := clientset(l, l.Server.String(), l.HTTPClient())
	if err != nil {
		return err
	}
	f := newFeed(l, newDelta(), newReal())
	stop, err := f.reflect(ctx, on)
	if err != nil {
		return err
	}
	defer stop()
	go func() { // takes no notice of the calls, so that the feed does not wait
		for f.await(ctx, 1) == nil {
		}
	}()
	done := make(chan error, len(f.sides))
	for _, s := range f.sides {
		go func() { done <- s.popNowAndThen(ctx, l) }()
	}
	<-ctx.Done() // nothing but the reader ends it
	for _, s := range f.sides {
		s.queue.Close()
	}
	return errors.Join(<-done, <-done)
}

// popNowAndThen pops, shows what came, and rests.
func (s *side) popNowAndThen(ctx context.Context, l *lab.Lab) error {
	for {
		popped, err := s.queue.Pop(s.process)
		if errors.Is(err, cache.ErrFIFOClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		l.Wire("%-9s %s", s.name, s.say(popped.(cache.Deltas)))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}
