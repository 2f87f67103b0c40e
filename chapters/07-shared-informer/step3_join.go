package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// join is step 3: a third handler comes, and then the one that was stuck goes on.
func (t *tour) join(ctx context.Context, l *lab.Lab) error {
	l.Sent("AddEventHandler(late)")
	if err := t.Join(t.late); err != nil {
		return err
	}
	if err := t.Settle(ctx); err != nil { // what follows is news
		return err
	}
	t.Update("menu")
	if err := show(ctx, l, t.World, t.Writer); err != nil {
		return err
	}
	l.Conclude("There was no request. late was given what the store had, each object once, and then the news.")
	l.Became("stuck is stuck no more")
	t.stuck.Release()
	if err := show(ctx, l, t.World, t.Writer); err != nil {
		return err
	}
	t.Counts(l)
	l.Conclude("All know the same. stuck had the same calls as fast, and late came to the same end with fewer.")
	t.Stop()
	return nil
}
