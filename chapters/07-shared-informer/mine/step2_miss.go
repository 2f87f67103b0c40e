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
	err := r.tell(ctx, l, "bread: born, died unseen, born; cake: born; soup: born, changed, changed; tea: born, died unseen")
	if err != nil {
		return err
	}
	l.Conclude("That tea is gone follows from the list. bread is there, as it was: to the informer it has changed. "+
		"%d notifications wait for slow.", r.slow.Registration.Waiting())
	return nil
}
