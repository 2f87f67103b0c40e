package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// missed has objects deleted while nobody watches, with the reader's Tombstones in the book's RealFIFO.
func (p pieces) missed(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l, "06.1")
	if err != nil {
		return err
	}
	defer k.close()
	k.queue = inOrder{fifo.NewRealFIFO(fifo.RealFIFOOptions{KnownObjects: k.store, Parts: fifo.Parts{Gone: p.gone()}})}
	if err := k.reflect(ctx); err != nil {
		return err
	}
	if err := k.pops(ctx, 2); err != nil {
		return err
	}
	k.came = nil // a streaming list has no order
	l.Say("The consumer is busy.")
	if err := k.changes(ctx, "create cake", "delete soup"); err != nil {
		return err
	}
	if err := k.unseen(ctx, "delete cake", "delete bread", "create tea"); err != nil {
		return err
	}
	l.Say("The consumer pops again.")
	if err := k.rest(ctx); err != nil {
		return err
	}
	err = k.expect("[Added cake]", "[Deleted soup]", "[Deleted as a tombstone of cake]",
		"[Deleted as a tombstone of bread]", "[Replaced tea]")
	if err != nil {
		return err
	}
	l.Conclude("Nobody saw cake and bread go. Your tombstone of cake has the state that waited in the queue, that of " +
		"bread what the store had; of soup there is none, since its deletion waited already.")
	return k.sameAsServer(ctx)
}
