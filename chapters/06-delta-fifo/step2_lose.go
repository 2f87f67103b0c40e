package main

import (
	"context"
	"errors"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lose is step 2: both queues miss a deletion, and are given a list without the object.
func lose(ctx context.Context, l *lab.Lab) error {
	delta, real := newDelta(), newReal()
	if err := missDeletion(ctx, l, delta, real); err != nil {
		return err
	}
	left, err := delta.drain(delta.process)
	if err != nil {
		return err
	}
	right, err := real.drain(real.process)
	if err != nil {
		return err
	}
	beside(l, left, right)
	for _, s := range []*side{delta, real} {
		l.Wire("%s's consumer calls %s", s.name, strings.Join(s.told, ", "))
	}
	l.Conclude("No event told that menu is gone; the list did, by not having it. DeltaFIFO compares the list with its " +
		"consumer's store. RealFIFO leaves that to its consumer. Either way the handler gets a tombstone.")
	return nil
}

// missDeletion has the queues know hours and menu, and loses the event that tells that menu is deleted.
func missDeletion(ctx context.Context, l *lab.Lab, sides ...*side) (err error) {
	w, err := newWriter(ctx, l, "hours", "menu")
	if err != nil {
		return err
	}
	const deletion = 4 // the first two events are those of the streaming list
	over, end, err := expiring(l, deletion, func() {})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	w.saw = newFeed(l, sides...)
	stop, err := w.saw.reflect(ctx, over)
	if err != nil {
		return err
	}
	defer stop()
	for _, s := range sides {
		if err := s.catchUp(); err != nil {
			return err
		}
	}
	l.Became("both consumers have hours and menu; from here on nobody pops")
	w.update("hours")
	w.delete("menu")
	return w.err
}
