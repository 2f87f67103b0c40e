package main

import (
	"context"
	"errors"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lose is step 2: both queues miss a deletion, and are given a list without the object.
func lose(ctx context.Context, l *lab.Lab) error {
	delta, real := scenario.NewDelta(fifo.Parts{}), scenario.NewReal(fifo.Parts{})
	if err := missDeletion(ctx, l, delta, real); err != nil {
		return err
	}
	if err := show(l, delta, real); err != nil {
		return err
	}
	for _, s := range []*scenario.Side{delta, real} {
		l.Wire("%s's consumer calls %s", s.Name, strings.Join(s.Told, ", "))
	}
	l.Conclude("No event told that menu is gone; the list did, by not having it. DeltaFIFO compares the list with its " +
		"consumer's store. RealFIFO leaves that to its consumer. Either way the handler gets a tombstone.")
	return nil
}

// missDeletion has the queues know hours and menu, and loses the event that tells that menu is deleted.
func missDeletion(ctx context.Context, l *lab.Lab, sides ...*scenario.Side) (err error) {
	w, err := scenario.NewWriter(ctx, l, "hours", "menu")
	if err != nil {
		return err
	}
	const deletion = 4 // the first two events are those of the streaming list
	over, end, err := scenario.Expiring(l, deletion, func() {})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	w.Saw = scenario.NewFeed(l, sides...)
	stop, err := w.Saw.Reflect(ctx, over)
	if err != nil {
		return err
	}
	defer stop()
	if err := w.Saw.CatchUp(); err != nil {
		return err
	}
	l.Became("both consumers have %s; nobody pops for now", sides[0].Names())
	w.Update("hours")
	w.Delete("menu")
	return w.Err
}
