package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// miss is step 2: this update is what the watch expires at.
func (r *run) miss(ctx context.Context, l *lab.Lab) error {
	r.seen.Update("soup")
	if err := r.show(ctx, l); err != nil {
		return err
	}
	err := r.tell(ctx, l, "the lives of bread: born, died unseen, born", "the lives of cake: born",
		"the lives of soup: born, changed 71 times", "the lives of tea: born, died unseen")
	if err != nil {
		return err
	}
	l.Conclude("That tea is gone follows from the list. bread is there under its name, so to the informer it was "+
		"updated. %d notifications wait for slow.", r.slow.Registration.Waiting())
	return nil
}
