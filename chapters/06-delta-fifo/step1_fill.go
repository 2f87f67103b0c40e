package main

import (
	"context"
	"fmt"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fill is step 1: a list and four events go into both queues, and then come out of them.
func fill(ctx context.Context, l *lab.Lab) error {
	t, err := begin(ctx, l, "menu", "prices")
	if err != nil {
		return err
	}
	defer t.stop()
	t.Update("menu")
	t.Create("hours")
	t.Update("menu")
	t.Delete("prices")
	if t.Err != nil {
		return t.Err
	}
	delta, real := &counted{Side: t.delta}, &counted{Side: t.real}
	left, err := delta.Drain(delta.process)
	if err != nil {
		return err
	}
	right, err := real.Drain(real.process)
	if err != nil {
		return err
	}
	beside(l, left, right)
	l.Conclude("DeltaFIFO keeps every delta, and sorts them by object: menu's last version comes out before hours exists. " +
		"RealFIFO keeps the order of the events, and a list is one delta.")
	l.Table([]string{"", "DeltaFIFO", "RealFIFO"},
		[]string{"deltas that Pop calls part of the first list", fmt.Sprint(delta.initial), fmt.Sprint(real.initial)},
		[]string{"synced before the last of them is processed", yes(delta.early), yes(real.early)})
	l.Conclude("DeltaFIFO cannot tell the list from what came on top of it, and says that it has synced one Pop too early.")
	return nil
}

// counted is a side that notes what Pop says of the first list.
type counted struct {
	*scenario.Side
	initial int  // deltas that Pop called part of the first list
	early   bool // the queue had synced while a Pop of the first list was being processed
}

func (c *counted) process(popped any, isInInitialList bool) error {
	if isInInitialList {
		c.initial += len(popped.(cache.Deltas))
		select {
		case <-c.Queue.HasSyncedChecker().Done(): // HasSynced would wait for the lock that DeltaFIFO holds meanwhile
			c.early = true
		default:
		}
	}
	return c.Process(popped, isInInitialList)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
