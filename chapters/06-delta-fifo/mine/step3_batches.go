package main

import (
	"context"

	batches "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// inBatches has the reader's queue give batches of three.
func (p pieces) inBatches(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l, "06.3")
	if err != nil {
		return err
	}
	defer k.close()
	q := batches.New(3)
	k.queue = inBatches{q}
	if err := k.reflect(ctx); err != nil {
		return err
	}
	k.during = func() error {
		l.Say("The consumer is busy with that.")
		if err := k.changes(ctx, "update soup"); err != nil {
			return err
		}
		if q.HasSynced() {
			return k.wrong("HasSynced is true while the first list is processed")
		}
		return k.changes(ctx, "create cake", "update cake", "update bread", "delete soup", "create milk")
	}
	if err := k.pops(ctx, 1); err != nil {
		return err
	}
	if !q.HasSynced() {
		return k.wrong("the first list was processed, and HasSynced is false")
	}
	if err := k.unseen(ctx, "delete bread", "create tea"); err != nil {
		return err
	}
	l.Say("The consumer pops again.")
	if err := k.rest(ctx); err != nil {
		return err
	}
	err = k.expect("[ReplacedAll bread and soup]", "[Updated soup, Added cake]",
		"[Updated cake, Updated bread, Deleted soup]", "[Added milk]",
		"[ReplacedAll cake and milk and tea; Deleted as a tombstone of bread]")
	if err != nil {
		return err
	}
	l.Conclude("Each key is in a batch once, and all is in the order of the server. The list is one delta, which the " +
		"consumer compares with its store: that is where the tombstone comes from.")
	return k.sameAsServer(ctx)
}
