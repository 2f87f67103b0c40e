package main

import (
	"context"

	"k8s.io/client-go/tools/cache"

	dedup "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/2-dedup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// byKey has the reader's queue gather the deltas of each key.
func (p pieces) byKey(ctx context.Context, l *lab.Lab) error {
	k, err := p.open(ctx, l, "06.2")
	if err != nil {
		return err
	}
	defer k.close()
	k.queue = byKey{dedup.New(cache.MetaNamespaceKeyFunc), k.store, p.gone()}
	if err := k.reflect(ctx); err != nil {
		return err
	}
	if err := k.pops(ctx, 2); err != nil {
		return err
	}
	l.Say("The consumer is busy.")
	if err := k.changes(ctx, "update soup"); err != nil {
		return err
	}
	l.Sent("resync bread, soup")
	if err := k.queue.Resync(); err != nil {
		return err
	}
	if err := k.changes(ctx, "create cake", "update cake", "delete soup"); err != nil {
		return err
	}
	if err := k.unseen(ctx, "update bread"); err != nil {
		return err
	}
	l.Say("The consumer pops again.")
	if err := k.rest(ctx); err != nil {
		return err
	}
	err = k.expect("[Updated bread]", "[Updated soup]", "[Updated soup, Deleted soup]", "[Sync bread, Updated bread]",
		"[Added cake, Updated cake, Updated cake]")
	if err != nil {
		return err
	}
	l.Conclude("The two deletions of soup are one, with the object of the first; its Sync came behind a change, and " +
		"is none. All else is there, by key: the update of bread was the last change, and came out before " +
		"those of cake.")
	return k.sameAsServer(ctx)
}
